import { hash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BackEnd, chosenBackEnd } from './back-end.ts';
import {
  type BackEndServers,
  type ObjectStoreAccess,
  objectStoreVariable,
  postgresVariable,
  startBackEndServers,
} from './back-end-servers.ts';

/** The storage of one service, or of several nodes of one. It outlives their processes. */
export interface ServiceHome extends AsyncDisposable {
  readonly backEnd: BackEnd;
  /** The settings that lead to the storage, with their credentials. */
  readonly variables: Readonly<Record<string, string>>;
  /** Removes stored large contents without the service; all of them without a hash. @returns their number. */
  removeStored(contentHash?: string): Promise<number>;
  /** Changes rows without the service, as an operator with a database client could. */
  changeRows(statement: string): Promise<void>;
}

/** The parts that a kind of storage adds to a home. */
type Part<Ability extends keyof ServiceHome> = Pick<ServiceHome, 'variables' | Ability> & AsyncDisposable;

const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * Makes an empty home on the chosen back end.
 * @param variables the addresses of the servers that the run started.
 */
export async function makeServiceHome(
  backEnd: BackEnd = chosenBackEnd(),
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServiceHome> {
  const servers = await useServers(backEnd, variables);
  const folder = await mkdtemp(join(tmpdir(), 'stoa-test-'));
  folders.add(folder);
  const rows =
    backEnd === 'sqlite-disk' ? sqliteRows(folder) : await postgresRows(servers.addressOf(postgresVariable));
  const bytes =
    backEnd === 'postgres-s3' ? objectBytes(servers.addressOf(objectStoreVariable)) : diskBytes(folder);
  return {
    backEnd,
    variables: { STOA_DATA_DIR: folder, ...rows.variables, ...bytes.variables },
    removeStored: bytes.removeStored,
    changeRows: rows.changeRows,
    async [Symbol.asyncDispose]() {
      await rows[Symbol.asyncDispose]();
      await bytes[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      folders.delete(folder);
      await servers.release();
    },
  };
}

function sqliteRows(folder: string): Part<'changeRows'> {
  return {
    variables: {},
    async changeRows(statement) {
      using database = new DatabaseSync(join(folder, 'stoa.db'));
      database.exec(statement);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function postgresRows(serverUrl: string): Promise<Part<'changeRows'>> {
  const name = `stoa_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await runSql(serverUrl, `create database ${name} template template0 encoding 'UTF8'`);
  return {
    variables: { STOA_DATABASE_URL: url.href, STOA_DATABASE_POOL: '8' },
    changeRows: (statement) => runSql(url.href, statement),
    [Symbol.asyncDispose]: () => runSql(serverUrl, `drop database ${name} with (force)`),
  };
}

function diskBytes(folder: string): Part<'removeStored'> {
  const blobs = join(folder, 'blobs');
  return {
    variables: {},
    async removeStored(contentHash) {
      let removed = 0;
      for (const entry of await readdir(blobs, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name === '.place-id') continue;
        const path = join(entry.parentPath, entry.name);
        if (contentHash !== undefined && hash('sha256', await readFile(path)) !== contentHash) continue;
        await rm(path);
        removed += 1;
      }
      return removed;
    },
    async [Symbol.asyncDispose]() {},
  };
}

function objectBytes(text: string): Part<'removeStored'> {
  const access: ObjectStoreAccess = JSON.parse(text);
  const prefix = randomUUID();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = access;
  const query = new URLSearchParams({ endpoint, region, pathStyle: 'true' });
  return {
    variables: {
      STOA_BLOB_URL: `s3://${bucket}/${prefix}?${query}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    async removeStored(contentHash) {
      const { removeObjects } = await import('./remove-objects.ts');
      return await removeObjects(access, prefix, contentHash);
    },
    // They are removed with the object store, which belongs to the run.
    async [Symbol.asyncDispose]() {},
  };
}

async function runSql(url: string, statement: string): Promise<void> {
  // Imported here because most test files run on SQLite.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let ownServers: Promise<BackEndServers> | null = null;
let users = 0;

/**
 * The servers that the run started for all files. A file that runs alone starts its own while it needs them.
 */
async function useServers(backEnd: BackEnd, given: Readonly<Record<string, string | undefined>>) {
  const isShared = backEnd === 'sqlite-disk' || given[postgresVariable] !== undefined;
  if (isShared) {
    return { addressOf: (name: string) => addressIn(given, name), release: async () => {} };
  }
  users += 1;
  ownServers ??= startBackEndServers(backEnd);
  const { variables } = await ownServers;
  return {
    addressOf: (name: string) => addressIn(variables, name),
    async release() {
      users -= 1;
      if (users > 0) return;
      const started = await ownServers;
      ownServers = null;
      await started?.[Symbol.asyncDispose]();
    },
  };
}

function addressIn(variables: Readonly<Record<string, string | undefined>>, name: string): string {
  const address = variables[name];
  if (address === undefined) throw new Error(`${name} is not set: run the tests through npm test`);
  return address;
}
