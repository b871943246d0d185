import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { startPostgres } from '../../tests/support/postgres.ts';
import type { Workbench } from '../workbench.ts';

/** The PostgreSQL server to compare: one that the bench starts and removes, or an existing one. */
export type DatabaseChoice =
  | { readonly kind: 'embedded' }
  /** The address of any of its databases, with a user who may create databases. */
  | { readonly kind: 'server'; readonly url: string };

/** Empty databases for the bench, removed with it. */
export interface Databases {
  /** @returns the address of a new one. */
  readonly create: () => Promise<string>;
  /** The server's first process, whose children are its sessions; null when it is on another machine. */
  readonly serverPid: number | null;
  readonly version: string;
}

export async function openDatabases(workbench: Workbench, choice: DatabaseChoice): Promise<Databases> {
  if (choice.kind === 'server') return await databasesOf(workbench, choice.url);
  const server = await startPostgres();
  workbench.keepResource(server);
  return await databasesOf(workbench, server.url('postgres'));
}

async function databasesOf(workbench: Workbench, serverUrl: string): Promise<Databases> {
  const owner = new Client({ connectionString: serverUrl });
  // Without a listener the end of a killed server's connection would end the bench.
  owner.on('error', () => {});
  await owner.connect();
  const made: string[] = [];
  workbench.keepResource({
    async [Symbol.asyncDispose]() {
      for (const name of made) await owner.query(`drop database if exists ${name} with (force)`);
      await owner.end();
    },
  });
  const rows = await owner.query({ text: `select pg_backend_pid() as pid, version() as version` });
  const [session] = rows.rows;
  return {
    serverPid: await serverOf(Number(session?.pid)),
    version: String(session?.version),
    async create() {
      const name = `stoa_bench_${randomUUID().replaceAll('-', '')}`;
      // The locale that docs/operations.md recommends.
      await owner.query(
        `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
      );
      made.push(name);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

/** A session's process is a child of the server. An id of another program means a server on another machine. */
async function serverOf(sessionPid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${sessionPid}/stat`, 'utf8').catch(() => null);
  if (stat === null || !stat.includes('(postgres)')) return null;
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
