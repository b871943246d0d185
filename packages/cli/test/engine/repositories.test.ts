import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { changesMax, parseWorkspacePath, type Stamp } from '@stoa/core';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { runPass } from '../../src/engine/run-pass.ts';
import { openLocalFolder } from '../../src/local/open-local-folder.ts';
import { createMemoryStateStore } from '../simulated/memory-state-store.ts';
import { createSimulatedRemote } from '../simulated/simulated-remote.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';
import { makeFolder } from '../support/temporary-folder.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };
const other = { userId: 'mallory', keyId: 'k2', keyName: 'other' };
const headText = 'ref: refs/heads/main\n';

/** Starts a folder on the real disk that syncs with a server in memory. */
async function start() {
  const location = await makeFolder();
  const server = new SimulatedServer(Date.now);
  server.addMember(other.userId);
  const store = createMemoryStateStore(async () => {});
  let ids = 0;
  const pace = {
    now: () => performance.now(),
    wallNow: Date.now,
    random: () => 0.5,
    newId: () => `id-${++ids}`,
    sleep: async () => {},
  };
  const world = {
    path: location.path,
    server,
    store,
    put(path: string, text: string) {
      const workspacePath = parseWorkspacePath(path);
      const there = server.find(workspacePath, other.userId);
      const seen = there === null ? ({ kind: 'absent' } as const) : ({ kind: 'version', ...there } as const);
      try {
        server.write(other, workspacePath, bytesOf(text), seen, null);
      } catch {
        // The path is taken by a folder or a file.
      }
    },
    remove(path: string) {
      const there = server.find(parseWorkspacePath(path), other.userId);
      if (there !== null) server.delete(other, parseWorkspacePath(path), there);
    },
    async write(path: string, text: string) {
      await mkdir(dirname(join(location.path, path)), { recursive: true });
      await writeFile(join(location.path, path), text);
    },
    has: (path: string) => existsSync(join(location.path, path)),
    there: () => [...server.filesFor(own.userId).keys()].sort(),
    /** Runs one sync like a separate process. */
    async sync() {
      await using folder = openLocalFolder({ folder: location.path, wallNow: Date.now });
      const engine = await openEngine({
        folder,
        remote: createSimulatedRemote({ server, key: own, pace, step: async () => {} }),
        store,
        pace,
        settings: { maxChanges: changesMax, merge: 'off', label: own.keyName, retryBudgetMs: 0 },
        onStep: () => {},
        onEvent: () => {},
        signal: new AbortController().signal,
      });
      return runPass(engine, { pending: 'keep', isDryRun: false, isSettling: true });
    },
    skipped: async () =>
      Object.fromEntries((await store.listLeftOut(1000)).map(({ path, reason }) => [path, reason])),
    /** Returns the folders that git accepts as a repository. */
    async repositories(): Promise<string[]> {
      const found: string[] = [];
      const entries = await readdir(location.path, { recursive: true, withFileTypes: true });
      const folders = new Set(
        entries.filter(({ name }) => /^(?:head|\.git)$/i.test(name)).map(({ parentPath }) => parentPath),
      );
      for (const folder of folders) if (await isRepository(folder)) found.push(folder);
      return found;
    },
    [Symbol.asyncDispose]: () => location[Symbol.asyncDispose](),
  };
  await mkdir(join(location.path, '.stoa'), { recursive: true });
  await writeFile(join(location.path, '.stoa', 'config.json'), '{}');
  return world;
}

const run = promisify(execFile);
const gitEnvironment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

async function isRepository(folder: string): Promise<boolean> {
  const env = { ...gitEnvironment, GIT_CEILING_DIRECTORIES: dirname(folder) };
  return run('git', ['-C', folder, 'rev-parse', '--git-dir'], { env }).then(
    () => true,
    () => false,
  );
}

describe('a git repository that a workspace tries to plant', () => {
  for (const folder of ['', 'deep/inside/']) {
    it(`is not created ${folder === '' ? 'at the root' : `in ${folder}`}, and git runs nothing`, async () => {
      await using world = await start();
      const sign = join(world.path, 'PWNED');
      const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${sign}; false"\n`;
      world.put(`${folder}HEAD`, headText);
      world.put(`${folder}objects/a.txt`, 'x');
      world.put(`${folder}refs/a.txt`, 'x');
      world.put(`${folder}config`, config);
      const { isInSync } = await world.sync();
      const status = () =>
        run('git', ['status'], { cwd: join(world.path, folder), env: gitEnvironment }).catch(() => {});
      await status();
      assert.equal(existsSync(sign), false);
      assert.deepEqual(await world.repositories(), []);
      assert.ok(isInSync);
      assert.ok(world.has(`${folder}config`) && world.has(`${folder}objects/a.txt`));
      assert.deepEqual(await world.skipped(), { [`${folder}HEAD`]: 'repository' });
      // Control: with this one file, git accepts the repository.
      await world.write(`${folder}HEAD`, headText);
      await status();
      assert.equal(existsSync(sign), true);
    });
  }

  it('is not created when HEAD came first, because HEAD goes to the trash', async () => {
    await using world = await start();
    world.put('HEAD', headText);
    await world.sync();
    assert.ok(world.has('HEAD'));
    world.put('objects/a', 'x');
    world.put('refs/a', 'x');
    await world.sync();
    assert.deepEqual([world.has('HEAD'), world.has('refs/a')], [false, true]);
    assert.deepEqual(await world.repositories(), []);
    assert.deepEqual(await world.skipped(), { HEAD: 'repository' });
    assert.deepEqual(world.there(), ['HEAD', 'objects/a', 'refs/a']);
    // Without the other two entries, HEAD is an ordinary file.
    world.remove('objects/a');
    world.remove('refs/a');
    await world.sync();
    await world.sync();
    assert.ok(world.has('HEAD'));
    assert.deepEqual(await world.skipped(), {});
  });

  it('is not completed by folders that the user creates', async () => {
    await using world = await start();
    world.put('a/HEAD', headText);
    await world.sync();
    await mkdir(join(world.path, 'a/objects'));
    await mkdir(join(world.path, 'a/refs'));
    await world.sync();
    assert.deepEqual(await world.repositories(), []);
    assert.equal(world.has('a/HEAD'), false);
  });

  it('is not completed around a HEAD that the user wrote, and that HEAD is not sent', async () => {
    await using world = await start();
    await world.write('HEAD', headText);
    world.put('objects/a', 'x');
    world.put('refs/a', 'x');
    await world.sync();
    assert.deepEqual(await world.repositories(), []);
    assert.deepEqual(await world.skipped(), {
      HEAD: 'repository',
      'objects/a': 'repository',
      'refs/a': 'repository',
    });
    assert.deepEqual(world.there(), ['objects/a', 'refs/a']);
  });
});

describe('a git repository of the user', () => {
  for (const folder of ['notes.git', '']) {
    it(`is not synced in either direction${folder === '' ? ' at the root' : ''}`, async () => {
      await using world = await start();
      const inside = (name: string) => (folder === '' ? name : `${folder}/${name}`);
      await run('git', ['init', '--bare', join(world.path, folder)], { env: gitEnvironment });
      await world.write('plan.md', 'text');
      world.put(inside('config'), '[core]\n\tfsmonitor = "touch PWNED"\n');
      world.put(inside('hooks/post-update'), 'touch PWNED');
      await world.sync();
      assert.deepEqual(world.there(), [
        inside('config'),
        inside('hooks/post-update'),
        ...(folder === '' ? [] : ['plan.md']),
      ]);
      assert.equal(world.has(inside('hooks/post-update')), false);
      const left = await world.skipped();
      assert.equal(left[folder === '' ? '.' : folder], 'repository');
      assert.equal(left[inside('config')], 'repository');
      assert.deepEqual(await isRepository(join(world.path, folder)), true);
    });
  }

  it('is not treated as deleted when its folder was synced before it became one', async () => {
    await using world = await start();
    await world.write('a/config', '[core]\n');
    await world.write('a/refs/x', 'x');
    await world.sync();
    await run('git', ['init', '--bare', join(world.path, 'a')], { env: gitEnvironment });
    const { deletedThere } = await world.sync();
    assert.equal(deletedThere, 0);
    assert.deepEqual(world.there(), ['a/config', 'a/refs/x']);
  });
});

it('keeps a file on both sides that an older version synced under a name that is now blocked', async () => {
  await using world = await start();
  const path = parseWorkspacePath('.hg/hgrc');
  world.put('notes.md', 'x');
  await world.sync();
  world.put(path, '[hooks]\n');
  const [hidden] = [...world.server.filesFor(own.userId)].filter(([each]) => each === path);
  assert.ok(hidden);
  await world.write(path, '[hooks]\n');
  const { version, contentHash: hash, sizeBytes, contentType } = hidden[1];
  const here = { stamp: 'old' as Stamp, object: null, mode: 0o644, localName: null, isFlushed: true };
  const row = { version, hash, sizeBytes, contentType, ...here };
  await world.store.commit([{ table: 'base', path, row }], 'durable');
  await world.sync();
  assert.deepEqual(world.there(), [path, 'notes.md']);
  assert.ok(world.has(path));
  assert.deepEqual(await world.skipped(), { [path]: 'hostile_name' });
});

const names = [
  'HEAD',
  'HEAD',
  'HEAD',
  'objects/x',
  'objects/x',
  'refs/x',
  'refs/x',
  'commondir',
  'refs',
  'config',
];
const folders = ['', 'a/'];
const paths = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names)).map((both) => both.join(''));
const acts = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), path: paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path: paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('make' as const), path: paths }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), path: paths }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync' as const), path: paths }) },
);

describe('a random sequence of changes and syncs', () => {
  it('never makes a folder that git takes for a repository', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 4, maxLength: 18 }), async (steps) => {
        await using world = await start();
        for (const { kind, path } of [...steps, { kind: 'sync' as const, path: '' }]) {
          const last = path.split('/').at(-1) ?? '';
          const text = /^head$/i.test(last) ? headText : last === 'commondir' ? '.\n' : 'x';
          // The user may create a `HEAD`, so the test does not.
          if (kind === 'make' && !/^head$/i.test(last)) await world.write(path, text).catch(() => {});
          if (kind === 'put') world.put(path, text);
          if (kind === 'remove') world.remove(path);
          if (kind === 'rename') await rename(join(world.path, 'a'), join(world.path, 'c')).catch(() => {});
          if (kind !== 'sync') continue;
          await world.sync();
          assert.deepEqual(await world.repositories(), []);
        }
      }),
      { numRuns: scaled(80) },
    );
  });
});
