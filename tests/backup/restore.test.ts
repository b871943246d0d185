import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after as afterAll, test } from 'node:test';
import { assertJumped } from '../support/assert-jumped.ts';
import { openHttpClient } from '../support/http-client.ts';
import { operator, operatorRun } from '../support/operator.ts';
import { integerAt, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { makeServiceHome, type ServiceHome } from '../support/service-home.ts';
import { serviceEnvironment, startService } from '../support/service-process.ts';
import type { WorkspaceClient } from '../support/workspace-client.ts';
import { useServer } from '../sync/support/shared-workspace.ts';
import { hashOf } from '../sync/support/synced-folder.ts';

const largeBytes = 300_000;
const large = () => randomBytes(largeBytes);

/** A workspace of a new person on a service. */
async function workspaceOn(service: { readonly url: string }) {
  const client = openHttpClient(service.url);
  afterAll(() => client.close());
  return await (await useServer(client)).workspace();
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stoa-backup-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function backUp(service: Parameters<typeof operator>[0], directory: string) {
  return JSON.parse(await operator(service, 'backup', directory, '--json'));
}

/** Changes a byte and keeps the length. */
async function flipByte(file: string): Promise<void> {
  await using handle = await open(file, 'r+');
  const byte = new Uint8Array(1);
  await handle.read(byte, 0, 1, 50);
  await handle.write(Uint8Array.of((byte[0] ?? 0) ^ 1), 0, 1, 50);
}

async function objectsIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(join(directory, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Names the objects of the size of a large content. The inode changes when an object is written again. */
async function largeObjectsIn(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await objectsIn(directory)) {
    const { size, ino } = await stat(file);
    if (size === largeBytes) found.push(`${basename(file)} ${ino}`);
  }
  return found.toSorted();
}

const hashesOf = (files: readonly string[]) =>
  Promise.all(files.map(async (file) => hashOf(await readFile(file))));

const clean = async (service: Parameters<typeof operator>[0]) =>
  JSON.parse(await operator(service, 'check', '--contents', '--json')).problems;

async function put(
  workspace: WorkspaceClient,
  path: string,
  body: string | Uint8Array,
  over?: number,
): Promise<number> {
  const response = await workspace.put(path, body, over === undefined ? {} : { ifMatch: over });
  assert.ok(response.status === 200 || response.status === 201, `${path}: ${response.status}`);
  return integerAt(jsonOf(response), 'version');
}

async function headOf(workspace: WorkspaceClient): Promise<number> {
  return integerAt(jsonOf(await workspace.query('changes', { limit: 0 })), 'head');
}

/** The environment in which a backup of the SQLite installation is restored. */
const environmentOf = (home: ServiceHome) => ({ env: serviceEnvironment(home.variables) });

test('a backup under load has every acknowledged change, and a second one adds only new data', async () => {
  await using home = await makeServiceHome('sqlite-disk');
  await using folder = await temporaryFolder();
  const backups = join(folder.path, 'new/backups');
  const bodies = new Map<string, string | Uint8Array>([
    ['notes/plan.md', '# Plan\n'],
    ['pictures/large.bin', large()],
    ['pictures/again.bin', large()],
  ]);
  let port = 0;
  let workspace: WorkspaceClient;
  let before = 0;
  let after = 0;
  {
    await using service = await startService({}, { home });
    port = service.port;
    workspace = (await workspaceOn(service)).workspace;
    for (const [path, body] of bodies) await put(workspace, path, body);
    const first = await backUp(service, backups);
    assert.equal(first.contents.count, 2);
    assert.equal(first.contents.bytes, 2 * largeBytes);
    assert.ok(first.added.bytes > 2 * largeBytes);
    const largeObjects = await largeObjectsIn(backups);
    assert.equal(largeObjects.length, 2);

    await put(workspace, 'notes/plan.md', '# Plan B\n', 1);
    bodies.set('notes/plan.md', '# Plan B\n');
    // The same bytes at another path are not new content.
    await put(workspace, 'pictures/copy.bin', bodies.get('pictures/large.bin') ?? '');
    bodies.set('pictures/copy.bin', bodies.get('pictures/large.bin') ?? '');
    before = await headOf(workspace);
    let isWriting = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      let version: number | undefined;
      while (isWriting) version = await put(workspace, `busy/${writer}.md`, `${writer} ${version}`, version);
    });
    const second = await backUp(service, backups);
    isWriting = false;
    await Promise.all(writers);
    // The growth of the database depends on the machine. Only the database and the list of contents may be added.
    assert.deepEqual(await largeObjectsIn(backups), largeObjects);
    const { database } = JSON.parse(await readFile(join(backups, 'backups', `${second.name}.json`), 'utf8'));
    assert.ok(second.added.bytes <= database.bytes + 2 * 65, JSON.stringify(second.added));
    assert.ok(second.added.objects >= 1);
    assert.equal(second.contents.lost.length, 0);
    const third = await backUp(service, backups);
    await rm(join(backups, 'backups', `${third.name}.json`));
    after = await headOf(workspace);
    assert.deepEqual(await clean(service), []);
  }

  await using other = await makeServiceHome('sqlite-disk');
  const restored = JSON.parse(await operator(environmentOf(other), 'restore', backups, '--json'));
  assert.deepEqual(restored.problems, []);
  await using service = await startService({}, { home: other, port });
  assert.deepEqual(await clean(service), []);
  // Sessions stay valid, because the backup has the secret.
  for (const [path, body] of bodies) {
    const response = await workspace.get(path);
    assert.deepEqual([response.status, hashOf(response.bytes)], [200, hashOf(body)], path);
  }
  const history = recordsAt(jsonOf(await workspace.query('versions', { path: 'notes/plan.md' })), 'versions');
  assert.equal(history.length, 2);
  // A follower of the feed gets no number twice and misses no later change.
  assert.ok((await headOf(workspace)) > after);
  await put(workspace, 'notes/later.md', 'later');
  const changes = recordsAt(jsonOf(await workspace.query('changes', { sinceSeq: after })), 'changes');
  assert.deepEqual(
    changes.map((change) => textAt(change, 'path')),
    ['notes/later.md'],
  );
  const known = recordsAt(jsonOf(await workspace.query('changes', { sinceSeq: 0, limit: 1000 })), 'changes');
  assert.ok(known.filter(({ seq }) => Number(seq) <= before).length === before);
});

test('a restore needs an empty directory, is all or nothing, and can start again', async () => {
  await using home = await makeServiceHome('sqlite-disk');
  await using folder = await temporaryFolder();
  const body = large();
  {
    await using service = await startService({}, { home });
    const { workspace } = await workspaceOn(service);
    await put(workspace, 'large.bin', body);
    await backUp(service, folder.path);
  }
  const full = await operatorRun(environmentOf(home), 'restore', folder.path);
  assert.equal(full.code, 1);
  assert.match(full.stderr, /is not empty: a restore needs an empty one/);
  // A restore that was cut off at the end leaves its mark in an installation that may be years old by now.
  const dataOf = (of: ServiceHome) => String(of.variables.STOA_DATA_DIR);
  await writeFile(join(dataOf(home), '.restoring'), '');
  const marked = await operatorRun(environmentOf(home), 'restore', folder.path);
  assert.deepEqual([marked.code, marked.stderr], [1, full.stderr]);
  const nothing = await operatorRun(environmentOf(home), 'restore', join(folder.path, 'elsewhere'));
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /there is no backup in/);

  await using other = await makeServiceHome('sqlite-disk');
  const dataDir = String(other.variables.STOA_DATA_DIR);
  await mkdir(join(dataDir, 'blobs/ws_half'), { recursive: true });
  await writeFile(join(dataDir, '.restoring'), '');
  await writeFile(join(dataDir, 'stoa.db.restoring'), 'half');
  const half = await operatorRun(environmentOf(other), 'check');
  assert.equal(half.code, 1);
  assert.match(half.stderr, /was interrupted: run the same command again/);
  {
    using lock = new DatabaseSync(join(dataDir, '.restoring'));
    lock.exec('begin exclusive');
    const both = await operatorRun(environmentOf(other), 'restore', folder.path);
    assert.equal(both.code, 1);
    assert.match(both.stderr, /Another restore into .* is running/);
  }
  const again = await operatorRun(environmentOf(other), 'restore', folder.path);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /^Restored the backup \S+ into .*\n.*\nNothing is wrong\.$/m);
  assert.ok(!(await readdir(dataDir)).includes('.restoring'));
  assert.ok(!(await readdir(join(dataDir, 'blobs'))).includes('ws_half'));

  // A damaged large content is named. A damaged database is not restored at all.
  const files = await objectsIn(folder.path);
  for (const file of files) await flipByte(file);
  // The audit log records each backup, so a megabyte of the database changes. Existing objects are not checked.
  const [flipped, one] = [await hashesOf(files), 1];
  assert.equal((await backUp(environmentOf(home), folder.path)).added.objects, one);
  assert.deepEqual(await hashesOf(files), flipped);
  const anew = JSON.parse(await operator(environmentOf(home), 'backup', folder.path, '--contents', '--json'));
  // The large content, and the list that names it.
  assert.equal(anew.added.objects, one + 2);
  const repaired = (await hashesOf(files)).filter((hash, at) => hash === basename(files[at] ?? ''));
  assert.deepEqual(repaired.toSorted(), [hashOf(body), hashOf(`${hashOf(body)}\n`)].toSorted());
  {
    using lock = new DatabaseSync(join(folder.path, '.lock'));
    lock.exec('begin exclusive');
    const both = await operatorRun(environmentOf(home), 'backup', folder.path);
    assert.equal(both.code, 1);
    assert.match(both.stderr, /Another backup into .* is running/);
  }
  for (const file of await objectsIn(folder.path)) await truncate(file, 100);
  await using third = await makeServiceHome('sqlite-disk');
  const damaged = await operatorRun(environmentOf(third), 'restore', folder.path);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stderr, /The backup of the database is damaged/);
  assert.ok(!(await readdir(String(third.variables.STOA_DATA_DIR))).includes('stoa.db'));
});

for (const backEnd of ['sqlite-disk', 'postgres-disk', 'postgres-s3'] as const) {
  test(`lost large contents come back from a backup on ${backEnd}`, async () => {
    await using home = await makeServiceHome(backEnd);
    await using folder = await temporaryFolder();
    await using service = await startService({}, { home });
    const { workspace } = await workspaceOn(service);
    const body = large();
    await put(workspace, 'large.bin', body);
    await put(workspace, 'small.md', 'small');
    const made = await backUp(service, folder.path);
    assert.equal(made.database, backEnd === 'sqlite-disk' ? 'sqlite' : 'postgres');
    assert.equal(await home.removeStored(), 1);
    await home.changeRows('update workspace_counter set used_files = 7');
    assert.equal((await workspace.get('large.bin')).status, 502);
    const lost = await operatorRun(service, 'check', '--json');
    assert.equal(lost.code, 3);
    assert.deepEqual(
      JSON.parse(lost.stdout).problems.map(({ rule }: { rule: string }) => rule),
      ['used_files_wrong', 'stored_bytes_missing'],
    );
    const withLoss = await operatorRun(service, 'backup', join(folder.path, 'second'), '--json');
    assert.equal(withLoss.code, 3);
    assert.equal(JSON.parse(withLoss.stdout).contents.lost.length, 1);
    const repaired = await operatorRun(service, 'repair', '--from', folder.path, '--json');
    assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
    const { counters, contents, problems } = JSON.parse(repaired.stdout);
    assert.deepEqual({ counters, contents, problems }, { counters: 1, contents: 1, problems: [] });
    const response = await workspace.get('large.bin');
    assert.deepEqual([response.status, hashOf(response.bytes)], [200, hashOf(body)]);
    const { usedFiles } = jsonOf(await workspace.query('usage'));
    assert.equal(usedFiles, 2);
  });
}

test('feeds continue beyond every issued number after a database was restored by other means', async () => {
  await using home = await makeServiceHome('postgres-disk');
  await using service = await startService({}, { home });
  const { workspace, person } = await workspaceOn(service);
  await put(workspace, 'a.md', 'a');
  const before = await headOf(workspace);
  const begunAt = Date.now();
  assert.equal(JSON.parse(await operator(service, 'after-restore', '--json')).workspaces, 1);
  const head = await headOf(workspace);
  assertJumped(before, head, begunAt);
  await put(workspace, 'b.md', 'b');
  assert.deepEqual(await clean(service), []);
  // The jump does not limit how far back an undo looks.
  const options = { actorId: person.id, since: new Date(0).toISOString(), dryRun: true };
  const undone = await workspace.post('undo', options);
  assert.deepEqual(
    recordsAt(jsonOf(undone), 'files').map((file) => `${file.outcome} ${file.path}`),
    ['deleted a.md', 'deleted b.md'],
  );
});

test('two restores of one backup give no number twice, and a follower misses nothing', async () => {
  await using folder = await temporaryFolder();
  await using origin = await makeServiceHome('sqlite-disk');
  await using service = await startService({}, { home: origin });
  const { port } = service;
  const { workspace } = await workspaceOn(service);
  await put(workspace, 'a.md', 'a');
  await backUp(service, folder.path);
  await service.end('SIGTERM');

  const lives: number[][] = [];
  for (const life of ['first', 'second']) {
    await using home = await makeServiceHome('sqlite-disk');
    await operator(environmentOf(home), 'restore', folder.path);
    await using restored = await startService({}, { home, port });
    const lastSeen = lives.flat().at(-1) ?? 1;
    for (const name of ['b', 'c']) await put(workspace, `${life}-${name}.md`, life);
    const since = recordsAt(jsonOf(await workspace.query('changes', { sinceSeq: lastSeen })), 'changes');
    assert.deepEqual(
      since.map((change) => textAt(change, 'path')),
      [`${life}-b.md`, `${life}-c.md`],
    );
    lives.push(since.map((change) => integerAt(change, 'seq')));
    assert.deepEqual(await clean(restored), []);
  }
  assert.equal(new Set(lives.flat()).size, 4, JSON.stringify(lives));
});

test('a linked folder loses nothing in a restore to yesterday', async () => {
  await using home = await makeServiceHome('sqlite-disk');
  await using folder = await temporaryFolder();
  await using service = await startService({}, { home });
  const { port } = service;
  const shared = await workspaceOn(service);
  await put(shared.workspace, 'kept.md', 'yesterday');
  await put(shared.workspace, 'edited.md', 'yesterday');
  await put(shared.workspace, 'deleted.md', 'yesterday');
  await using ada = await shared.folder(service.url);
  assert.equal((await ada.run('sync')).code, 0);
  await backUp(service, folder.path);
  // Only the folder and the lost day have these.
  await ada.write('edited.md', 'today, from the folder');
  await ada.write('made-here.md', 'today, from the folder');
  await ada.remove('deleted.md');
  assert.equal((await ada.run('sync')).code, 0);
  await put(shared.workspace, 'made-there.md', 'today, from the server');
  assert.equal((await ada.run('sync')).code, 0);
  await service.end('SIGTERM');

  await using other = await makeServiceHome('sqlite-disk');
  await operator(environmentOf(other), 'restore', folder.path);
  await using restored = await startService({}, { home: other, port });
  const reported =
    /^good {2}feed {5}at change \d+, and the server was restored from a backup since: the next sync compares every file$/m;
  assert.match((await ada.run('doctor')).stdout, reported);
  const synced = await ada.run('sync');
  // In sync, with a conflicted copy.
  assert.equal(synced.code, 6, synced.stdout + synced.stderr);
  await shared.untilSame([ada]);
  const there = new Set((await shared.hashes()).values());
  for (const text of ['yesterday', 'today, from the folder', 'today, from the server']) {
    assert.ok(there.has(hashOf(text)), text);
  }
  assert.deepEqual(await clean(restored), []);
});
