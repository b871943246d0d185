import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberViewer, parseWorkspacePath, searchedPath, type WorkspacePath } from '@stoa/core';
import { createWorkMeter } from '../../src/concurrency/work-meter.ts';
import { treeBuilder, treeDepthMax } from '../../src/mcp/tree-lines.ts';
import type { WorkspaceAccess } from '../../src/service/access.ts';
import { parseContentScope } from '../../src/service/content-search/content-scope.ts';
import { readLines } from '../../src/service/editing/read-lines.ts';
import type { ReadableFile } from '../../src/service/files/read-file.ts';
import type { ChangeRow } from '../../src/service/ports/changes.ts';
import { globFiles } from '../../src/service/search/glob-files.ts';
import type { ServiceDeps } from '../../src/service/service-deps.ts';
import { sortPaths } from '../../src/service/undo/sort-paths.ts';
import { TouchedLocations } from '../../src/service/undo/touched-paths.ts';

/** Paths of the greatest length and depth, which begin alike. */
const deepPaths = (count: number): readonly WorkspacePath[] =>
  Array.from({ length: count }, (_, n) =>
    parseWorkspacePath(`${'a/'.repeat(508)}${String(n).padStart(8, '0')}`),
  );
const shortPaths = (count: number): readonly WorkspacePath[] =>
  Array.from({ length: count }, (_, n) => parseWorkspacePath(String(n).padStart(8, '0')));

/** @returns how many other callbacks ran during the work. */
async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let [rounds, isDone] = [0, false];
  const count = () => {
    if (isDone) return;
    rounds += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return rounds;
}

test('a meter yields once for each budget of work, however it is split', async () => {
  for (const units of [1, 10, 1000]) {
    const meter = createWorkMeter(1000);
    const rounds = await roundsDuring(async () => {
      for (let spent = 0; spent < 50_000; spent += units) await meter.spend(units);
    });
    assert.ok(rounds >= 49 && rounds <= 51, `${rounds}`);
  }
});

const access = {
  workspace: { id: 'w' },
  viewer: memberViewer('u'),
} as unknown as WorkspaceAccess;

function listing(paths: readonly WorkspacePath[]): Pick<ServiceDeps, 'currentFiles'> {
  const files = paths.map((path) => searchedPath(path));
  const read = async () => ({ files, ownerByPath: new Map(), seq: 1 });
  return { currentFiles: { read } } as unknown as Pick<ServiceDeps, 'currentFiles'>;
}

const query = '**a/'.repeat(20);

/** Each does work on 1,500 rows whose cost is the caller's choice. */
const kinds: readonly (readonly [string, (paths: readonly WorkspacePath[]) => Promise<unknown>])[] = [
  ['a search of names by a glob', (paths) => globFiles(listing(paths), access, { query, limit: 50 })],
  [
    'a search of contents by a glob',
    async (paths) => {
      const { includes, words } = parseContentScope(query);
      const meter = createWorkMeter();
      for (const path of paths) {
        includes(path);
        await meter.spend(path.length * (words + 1));
      }
    },
  ],
  ['sorting what an undo touched', (paths) => sortPaths(paths, createWorkMeter())],
];

for (const [name, work] of kinds) {
  test(`${name} yields by the characters of paths, not by their number`, async () => {
    const count = 1500;
    const short = await roundsDuring(() => work(shortPaths(count)));
    const deep = await roundsDuring(() => work(deepPaths(count)));
    assert.ok(deep >= 5 * Math.max(1, short), `${deep} yields for deep paths, ${short} for short ones`);
  });
}

test('counting lines yields by the bytes', async () => {
  const chunk = new Uint8Array(64 * 1024).fill(0x0a);
  const chunks = 128;
  const readable = {
    file: { sizeBytes: chunks * chunk.byteLength },
    async open() {
      return (async function* () {
        for (let n = 0; n < chunks; n += 1) yield chunk;
      })();
    },
  } as unknown as ReadableFile;
  const question = { from: 1, count: 1, maxCharacters: 100, maxBytes: 100, lineMaxCharacters: 100 };
  const rounds = await roundsDuring(async () => {
    assert.equal((await readLines(readable, question)).total, chunks * chunk.byteLength);
  });
  assert.ok(rounds >= 20, `${rounds}`);
});

test('a tree of deep paths has a bounded number of lines for each of them', () => {
  const tree = treeBuilder('', Number.MAX_SAFE_INTEGER);
  for (let n = 0; n < 100; n += 1) {
    tree.add({ path: parseWorkspacePath(`${n}/${'a/'.repeat(500)}a`), version: 1, sizeBytes: 1 });
  }
  assert.ok(tree.lines.length <= 100 * treeDepthMax, `${tree.lines.length}`);
  assert.ok(tree.lines.every(({ text }) => text.length < 40));
});

test('a path that was left very often costs no more each time', () => {
  const folds = (count: number): number => {
    const locations = new TouchedLocations(({ op }) => op === 'delete');
    const [a, b] = [parseWorkspacePath('a'), parseWorkspacePath('b')];
    const began = process.cpuUsage().user;
    for (let n = 0; n < count; n += 1) {
      const [from, to] = n % 2 === 0 ? [a, b] : [b, a];
      locations.add({ op: 'delete', path: from, seq: 2 * n } as ChangeRow);
      locations.add({ op: 'move', path: to, movedFrom: from, seq: 2 * n + 1 } as ChangeRow);
    }
    assert.deepEqual(locations.departuresAt(a).length, count / 2);
    return process.cpuUsage().user - began;
  };
  folds(4000);
  const [few, many] = [folds(4000), folds(64_000)];
  // In proportion it is 16 times as much; with a look at each earlier one 256 times.
  assert.ok(many < 64 * Math.max(few, 1000), `${many} against ${few}`);
});
