import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { postgresVariable } from '../support/back-end-servers.ts';
import { openHttpClient } from '../support/http-client.ts';
import { operator, operatorRun } from '../support/operator.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { findPostgres15, postgres15Programs } from '../support/postgres-15.ts';
import { integerAt, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { type SharedWorkspace, useServer } from '../sync/support/shared-workspace.ts';
import { hashOf, type SyncedFolder } from '../sync/support/synced-folder.ts';

// The tools of PostgreSQL itself, which the npm package does not include.
const found = await findPostgres15();
const skip = found.kind === 'missing' ? found.reason : false;
const run = promisify(execFile);
const large = () => randomBytes(300_000);

async function put(workspace: WorkspaceClient, path: string, body: string | Uint8Array): Promise<void> {
  const response = await workspace.put(path, body);
  assert.equal(response.status, 201, `${path}: ${response.status}`);
}

async function startedServer(settings: readonly string[]): Promise<PostgresServer> {
  const server = await startPostgres(settings, postgres15Programs);
  after(() => server[Symbol.asyncDispose]());
  return server;
}

interface Day {
  readonly shared: SharedWorkspace;
  readonly ada: SyncedFolder;
  /** The cursor of a follower when the database was lost. */
  readonly cursor: number;
  readonly texts: readonly string[];
  readonly largeBodies: ReadonlyMap<string, Uint8Array>;
}

/** Asserts the state after the restore of the database, and of the lost contents from the backup directory. */
async function assertNothingLost(
  service: Awaited<ReturnType<typeof startService>>,
  { shared, ada, cursor, texts, largeBodies }: Day,
): Promise<void> {
  const { workspace } = shared;
  for (const [path, body] of largeBodies) {
    const response = await workspace.get(path);
    assert.deepEqual([response.status, hashOf(response.bytes)], [200, hashOf(body)], path);
  }
  const follow = async () => jsonOf(await workspace.query('changes', { sinceSeq: cursor, limit: 1000 }));
  // A follower that had read the lost changes now asks beyond them, and gets no change that it would take for
  // known.
  assert.deepEqual((await follow()).changes, []);
  const synced = await ada.run('sync');
  assert.ok(synced.code === 0 || synced.code === 6, synced.stdout + synced.stderr);
  await shared.untilSame([ada]);
  const there = new Set((await shared.hashes()).values());
  for (const text of texts) assert.ok(there.has(hashOf(text)), `lost: ${text}`);
  const news = recordsAt(await follow(), 'changes');
  assert.ok(news.length > 0 && news.every((change) => integerAt(change, 'seq') > cursor));
  assert.ok(news.some((change) => textAt(change, 'path') === 'today.md'));
  const { code, stdout } = await operatorRun(service, 'check', '--contents', '--json');
  assert.equal(code, 0, stdout);
}

/** A service with a linked folder, and its content of yesterday. */
async function yesterday(home: ServiceHome) {
  const service = await startService({}, { home });
  const client = openHttpClient(service.url);
  after(() => client.close());
  const shared = await (await useServer(client)).workspace();
  const ada = await shared.folder(service.url);
  const body = large();
  await put(shared.workspace, 'kept.bin', body);
  await put(shared.workspace, 'yesterday.md', 'yesterday');
  assert.equal((await ada.run('sync')).code, 0);
  return { service, shared, ada, body };
}

test('a restored pg_dump and a backup of the contents lose nothing', { skip }, async () => {
  const server = await startedServer([]);
  await using home = await makeServiceHome('postgres-disk', { [postgresVariable]: server.url('postgres') });
  const { service, shared, ada, body } = await yesterday(home);
  const url = home.variables.STOA_DATABASE_URL ?? assert.fail('no database');
  const dump = join(await server.makeDirectory('dumps'), 'stoa.dump');
  const contents = `${home.variables.STOA_DATA_DIR}-backups`;
  after(() => rm(contents, { recursive: true, force: true }));
  try {
    await server.program('pg_dump', '--format=custom', `--file=${dump}`, url);
    await operator(service, 'backup', contents);
    // The day that the restore loses.
    await ada.write('today.md', 'today, from the folder');
    assert.equal((await ada.run('sync')).code, 0);
    const cursor = await shared.head();
    await service.end('SIGTERM');

    const name = new URL(url).pathname.slice(1);
    await server.run('postgres', `drop database ${name}`);
    await server.run('postgres', `create database ${name} template template0 encoding 'UTF8'`);
    assert.equal(await home.removeStored(), 1);
    await server.program('pg_restore', '--exit-on-error', `--dbname=${url}`, dump);
    await operator(service, 'after-restore');
    await operator(service, 'repair', '--from', contents);
    await using again = await startService({}, { home, port: service.port });
    await assertNothingLost(again, {
      shared,
      ada,
      cursor,
      texts: ['yesterday', 'today, from the folder'],
      largeBodies: new Map([['kept.bin', body]]),
    });
  } finally {
    await ada[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  }
});

test('recovery to the moment of a contents backup keeps all from before, and a folder keeps the rest', {
  skip,
}, async () => {
  const server = await startedServer([
    'wal_level=replica',
    'archive_mode=on',
    'archive_command=cp %p ../log/%f',
  ]);
  const log = await server.makeDirectory('log');
  const base = await server.makeDirectory('base');
  await using home = await makeServiceHome('postgres-disk', { [postgresVariable]: server.url('postgres') });
  const contents = `${home.variables.STOA_DATA_DIR}-backups`;
  after(() => rm(contents, { recursive: true, force: true }));
  const { service, shared, ada, body } = await yesterday(home);
  try {
    await server.program(
      'pg_basebackup',
      '--checkpoint=fast',
      `--pgdata=${base}`,
      `--dbname=${server.url('postgres')}`,
    );
    // Only the log has this.
    const later = large();
    await put(shared.workspace, 'before-the-mistake.bin', later);
    await put(shared.workspace, 'before-the-mistake.md', 'before the mistake');
    assert.equal((await ada.run('sync')).code, 0);
    // The moment that a backup of the contents names. It has all contents of the database at that moment.
    const { moment } = JSON.parse(await operator(service, 'backup', contents, '--json'));
    await home.changeRows('truncate file cascade');
    await ada.write('today.md', 'today, from the folder');
    const cursor = await shared.head();
    await service.end('SIGTERM');

    await server.run('postgres', 'select pg_switch_wal()');
    await server.stop();
    await rm(server.data, { recursive: true });
    // The copy keeps the owner.
    await run('cp', ['--archive', base, server.data]);
    await writeFile(join(server.data, 'recovery.signal'), '');
    await server.restart([
      `restore_command=cp ${log}/%f %p`,
      `recovery_target_time=${moment}`,
      'recovery_target_action=promote',
    ]);
    assert.equal(await home.removeStored(), 2);
    await operator(service, 'after-restore');
    await operator(service, 'repair', '--from', contents);
    await using again = await startService({}, { home, port: service.port });
    await assertNothingLost(again, {
      shared,
      ada,
      cursor,
      texts: ['yesterday', 'before the mistake', 'today, from the folder'],
      largeBodies: new Map([
        ['kept.bin', body],
        ['before-the-mistake.bin', later],
      ]),
    });
  } finally {
    await ada[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  }
});
