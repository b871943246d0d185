import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { listBackups, locationsIn, readManifest } from '../../src/backup/manifest.ts';
import { pruneBackups } from '../../src/backup/prune-backups.ts';
import { putBack } from '../../src/backup/put-back.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createOperatorDeps, openBlobs } from '../../src/create-deps.ts';
import { checkInstallation } from '../../src/service/checking/check-installation.ts';
import { startedServer } from '../http/support/started-server.ts';
import { listeners, sqliteSource } from './support/sqlite-source.ts';

const said = () => {};
const scripts = join(import.meta.dirname, 'support');

let folder: string;
/** Four backups of one installation. A restore of the second abandoned the state of the third. */
let original: string;
let names: readonly string[];
/** The files of each backup: path and hash. */
const filesOf = new Map<string, readonly string[]>();
/** The large content that the third backup alone names. */
let givenUp: string;

function filesIn(dataDir: string): readonly string[] {
  using database = new DatabaseSync(join(dataDir, 'stoa.db'), { readOnly: true });
  const rows = database.prepare('select path, content_hash from file order by path').all();
  return rows.map(({ path, content_hash }) => `${path} ${content_hash}`);
}

async function backUp(dataDir: string): Promise<string> {
  const made = await makeBackup(await sqliteSource(dataDir), original, { readKept: false }, said);
  filesOf.set(made.name, filesIn(dataDir));
  return made.name;
}

/** Restores a backup and checks every byte. */
async function restoreOf(directory: string, name: string): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'restored-'));
  const config = parseConfig({ STOA_DATA_DIR: dataDir });
  const manifest = await readManifest(directory, name);
  await putBack(directory, manifest, { dataDir, openBlobs: () => openBlobs(config, listeners) }, said);
  await using deps = await createOperatorDeps(config, listeners);
  const { store } = deps.service;
  const report = await checkInstallation({ store, blobs: await deps.openBlobs() }, { readBytes: true }, said);
  assert.deepEqual(report.problems, [], name);
  assert.deepEqual(filesIn(dataDir), filesOf.get(name), name);
  return dataDir;
}

async function copyOfOriginal(): Promise<string> {
  const copy = await mkdtemp(join(folder, 'copy-'));
  await cp(original, copy, { recursive: true });
  return copy;
}

async function objectsIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(locationsIn(directory).objects, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

const objectFile = (directory: string, hash: string) =>
  join(locationsIn(directory).objects, hash.slice(0, 2), hash);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-prune-'));
  original = join(folder, 'backups');
  const made: string[] = [];
  let dataDir: string;
  {
    await using stoa = await startedServer();
    ({ dataDir } = stoa.server.config);
    const put = async (path: string, body: string | Uint8Array) => {
      const response = await stoa.call(stoa.at(`files/${path}`), { method: 'PUT', body: Buffer.from(body) });
      assert.equal(response.status, 201);
    };
    await put('notes/plan.md', '# Plan\n');
    await put('pictures/first.bin', randomBytes(300_000));
    made.push(await backUp(dataDir));
    await put('notes/second.md', 'second');
    made.push(await backUp(dataDir));
    await put('pictures/given-up.bin', randomBytes(200_000));
    made.push(await backUp(dataDir));
    givenUp = filesIn(dataDir)
      .find((file) => file.startsWith('pictures/given-up.bin '))
      ?.slice(-64) as string;
  }
  const goingOn = await restoreOf(original, made[1] ?? '');
  {
    using database = new DatabaseSync(join(goingOn, 'stoa.db'));
    database.exec(`update "user" set name = 'Ada, later'`);
  }
  made.push(await backUp(goingOn));
  names = made;
  assert.deepEqual(names, await listBackups(original));
});
after(() => rm(folder, { recursive: true, force: true }));

test('a prune removes what no kept backup needs, and every kept backup can be restored', async () => {
  const directory = await copyOfOriginal();
  const before = await objectsIn(directory);
  assert.ok(before.includes(givenUp));
  const dry = await pruneBackups(directory, { last: 1 }, true, said);
  assert.deepEqual([await listBackups(directory), await objectsIn(directory)], [names, before]);
  const { kept, removed, objects } = await pruneBackups(directory, { last: 1 }, false, said);
  assert.deepEqual(
    { kept, removed, objects },
    { kept: dry.kept, removed: dry.removed, objects: dry.objects },
  );
  assert.deepEqual(removed, names.slice(0, 3));
  assert.deepEqual(await listBackups(directory), names.slice(3));
  const left = await objectsIn(directory);
  assert.equal(left.length, before.length - objects.count);
  assert.ok(objects.bytes >= 200_000 && objects.count >= 2, JSON.stringify(objects));
  assert.ok(!left.includes(givenUp));
  await restoreOf(directory, names[3] ?? '');
  // A second prune has no effect.
  const again = await pruneBackups(directory, { last: 1 }, false, said);
  assert.deepEqual([again.removed, again.objects.count], [[], 0]);
});

test('after a kill at any step every listed backup is restorable, and the next prune finishes', async () => {
  const whole = await copyOfOriginal();
  await pruneBackups(whole, { last: 2 }, false, said);
  const left = await objectsIn(whole);
  let steps = 1;
  for (; ; steps += 1) {
    const directory = await copyOfOriginal();
    const child = spawn(
      process.execPath,
      [join(scripts, 'prune-until-killed.ts'), directory, '2', String(steps)],
      { stdio: 'inherit' },
    );
    const [code, signal] = await once(child, 'exit');
    const listed = await listBackups(directory);
    // The first steps read both kept backups: the prune checks what they need before it removes an object.
    if (steps <= 3) assert.deepEqual(listed, names);
    for (const name of listed) await restoreOf(directory, name);
    if (signal === null) {
      assert.equal(code, 0);
      break;
    }
    await pruneBackups(directory, { last: 2 }, false, said);
    assert.deepEqual(await listBackups(directory), names.slice(2));
    assert.deepEqual(await objectsIn(directory), left);
    await rm(directory, { recursive: true });
  }
  assert.ok(steps > 5, `${steps} steps`);
});

/**
 * Starts a prune or a backup of the directory in another process and returns its error. Blocks until it ends.
 */
function reportedConcurrently(...args: readonly string[]): string {
  const child = spawnSync(process.execPath, [join(scripts, 'begin-concurrently.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  assert.equal(child.status, 0);
  return child.stdout;
}

test('a backup and a prune of one directory never run together', async () => {
  const directory = await copyOfOriginal();
  const dataDir = await restoreOf(directory, names[3] ?? '');
  const reported: string[] = [];
  await pruneBackups(directory, { last: 1 }, false, () => {
    if (reported.length === 0) reported.push(reportedConcurrently(directory, dataDir));
  });
  await makeBackup(await sqliteSource(dataDir), directory, { readKept: false }, () => {
    if (reported.length === 1) reported.push(reportedConcurrently(directory));
  });
  assert.deepEqual(
    reported.map((error) => error.includes('is running')),
    [true, true],
  );
  assert.equal((await listBackups(directory)).length, 2);
});

test('a restore fails when its backup is removed during it', async () => {
  const directory = await copyOfOriginal();
  const dataDir = await mkdtemp(join(folder, 'restored-'));
  const config = parseConfig({ STOA_DATA_DIR: dataDir });
  const manifest = await readManifest(directory, names[2] ?? '');
  let pruned: Promise<unknown> | null = null;
  const openConcurrently = async () => {
    const blobs = await openBlobs(config, listeners);
    return {
      ...blobs,
      async beginUpload(workspaceId: string) {
        // The database is restored by now, and the large contents are not.
        pruned ??= pruneBackups(directory, { last: 1 }, false, said);
        await pruned;
        return await blobs.beginUpload(workspaceId);
      },
    };
  };
  await assert.rejects(
    putBack(directory, manifest, { dataDir, openBlobs: openConcurrently }, said),
    /The backup was removed during the restore/,
  );
  assert.ok(!(await readdir(dataDir)).includes('stoa.db'));
});

test('a prune removes neither backup nor object when a kept backup is incomplete', async () => {
  const damages: readonly [what: RegExp, damage: (directory: string) => Promise<void>][] = [
    [
      /is incomplete: 1 of its objects are missing, among them/,
      async (directory) => {
        const { database } = await readManifest(directory, names[3] ?? '');
        assert.ok(database.kind === 'sqlite');
        await rm(objectFile(directory, database.pieces[0] ?? ''));
      },
    ],
    [
      /is incomplete: its list of contents .* is missing or damaged/,
      async (directory) => {
        const { contents } = await readManifest(directory, names[3] ?? '');
        await truncate(objectFile(directory, contents.list ?? ''), 64);
      },
    ],
    [
      /is damaged, or of a newer release.*Nothing was removed/,
      (directory) => truncate(join(locationsIn(directory).backups, `${names[0]}.json`), 20),
    ],
  ];
  for (const [what, damage] of damages) {
    const directory = await copyOfOriginal();
    await damage(directory);
    const before = await objectsIn(directory);
    await assert.rejects(pruneBackups(directory, { last: 1 }, false, said), what);
    assert.deepEqual([await listBackups(directory), await objectsIn(directory)], [names, before]);
  }
});

test('no object is removed while a backup without a list of its contents is kept', async () => {
  const directory = await copyOfOriginal();
  const file = join(locationsIn(directory).backups, `${names[3]}.json`);
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  delete manifest.contents.list;
  await writeFile(`${file}.new`, JSON.stringify(manifest));
  await rename(`${file}.new`, file);
  const before = await objectsIn(directory);
  const report = await pruneBackups(directory, { last: 1 }, false, said);
  assert.deepEqual([report.withoutList, report.objects.count], [names.slice(3), 0]);
  assert.deepEqual(await listBackups(directory), names.slice(3));
  assert.deepEqual(await objectsIn(directory), before);
  await restoreOf(directory, names[3] ?? '');
});

test('a prune keeps files that are not objects of a backup', async () => {
  const directory = await copyOfOriginal();
  const { objects } = locationsIn(directory);
  const [shard = ''] = (await readdir(objects)).filter((name) => name.length === 2);
  const strangers = [join(objects, 'README'), join(objects, shard, 'note'), join(directory, 'mine')];
  for (const file of strangers) await writeFile(file, 'mine');
  await pruneBackups(directory, { last: 1 }, false, said);
  for (const file of strangers) assert.equal(await readFile(file, 'utf8'), 'mine');
});
