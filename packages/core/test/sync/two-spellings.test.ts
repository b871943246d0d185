import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncPlan } from '../../src/index.ts';
import {
  absent,
  baseFile,
  folder,
  lines,
  localFile,
  object,
  plan,
  remoteFile,
  type Situation,
} from './support/trees.ts';

const facts = { traits: { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' } } as const;
const reported = ({ skipped }: SyncPlan): string[] =>
  skipped.map(({ path, reason, detail }) => `${path}: ${reason} ${detail}`);
const known = (name: string) => ({ object: object(name) });
const movedFrom = (path: string, letter: string) =>
  remoteFile(letter, { movedFrom: path as NonNullable<ReturnType<typeof remoteFile>['movedFrom']> });

test('of two like folders on the server, the one that is local and has files stays', () => {
  const result = plan({
    base: { 'a/x': baseFile('b') },
    baseFolders: { a: known('A') },
    remote: { 'a/x': absent, 'a/X': remoteFile('r'), 'A/A': remoteFile('s'), 'A/X': remoteFile('t') },
    facts,
  });
  assert.deepEqual(lines(result), ['14 remove_here a/x b', '2 download a/X=r over nothing after 0']);
  assert.deepEqual(reported(result), ['A/A: case_collision a', 'A/X: case_collision a']);
});

test('a locally deleted file that changed on the server is not fetched over a like-named folder', () => {
  const result = plan({
    base: { a: baseFile('b'), 'A/x': baseFile('c') },
    baseFolders: { A: known('A') },
    local: { a: absent },
    remote: { a: remoteFile('r') },
    facts,
  });
  assert.deepEqual(lines(result), []);
  assert.deepEqual(reported(result), ['a: case_collision A']);
});

test('entries of such a folder are not fetched where that file comes back', () => {
  const result = plan({
    base: { a: baseFile('b'), 'A/x': baseFile('c') },
    baseFolders: { A: known('A') },
    local: { a: absent, 'A/x': absent },
    localFolders: { A: absent },
    remote: { a: remoteFile('r'), 'A/y': remoteFile('s') },
    facts,
  });
  assert.deepEqual(lines(result), ['13 download a=r over nothing', '9 delete_there A/x c v1']);
  assert.deepEqual(reported(result), ['A/y: case_collision a']);
});

test('when one of two like names is unknown, nothing is fetched there in any reading order', () => {
  const spellings = [
    ['A', { kind: 'unknown', reason: 'unsettled' }],
    ['a', localFile('y')],
  ] as const;
  for (const order of [spellings, spellings.toReversed()]) {
    const result = plan({
      base: { A: baseFile('b') },
      local: Object.fromEntries(order),
      remote: { A: absent, 'a/A': remoteFile('r') },
      facts,
    });
    assert.deepEqual(lines(result), ['1 set_aside a y -> a (conflicted copy 2026-11-20 143012 laptop)']);
  }
});

/** Each rename targets the path of the other: `b` moves to the path of the folder that the other leaves. */
const crossed: Situation = {
  base: { 'a/x': baseFile('c'), b: baseFile('b') },
  baseFolders: { a: known('A') },
  remote: { 'a/x': absent, b: absent, A: movedFrom('b', 'b'), B: movedFrom('a/x', 'c') },
  facts,
};

test('of two renames that depend on each other, one becomes a delete and a new file', () => {
  const first = plan(crossed);
  assert.deepEqual(lines(first), ['14 remove_here b b', '14 rename_here a/x c -> B after 0']);
  assert.deepEqual(reported(first), []);
  const then = plan({
    base: { B: baseFile('c') },
    baseFolders: { a: known('A') },
    localFolders: { a: folder('A', true) },
    remote: { A: movedFrom('b', 'b') },
    facts,
  });
  assert.deepEqual(lines(then), ['14 remove_folder_here a', '2 download A=b over nothing after 0']);
});

test('two renames that depend on each other wait and are reported while other work remains', () => {
  const result = plan({ ...crossed, local: { z: localFile('y') } });
  assert.deepEqual(lines(result), ['1 upload z=y over nothing']);
  assert.deepEqual(reported(result).toSorted(), [
    'A: case_collision a',
    'B: case_collision b',
    'a/x: case_collision b',
    'b: case_collision a',
  ]);
});

test('a file for the path of a folder is reported when an entry cannot leave the folder', () => {
  const result = plan({
    base: { 'a/x': baseFile('c'), b: baseFile('b') },
    baseFolders: { a: known('A') },
    local: { b: { kind: 'unknown', reason: 'unsettled' } },
    remote: { 'a/x': absent, b: absent, a: remoteFile('r'), B: movedFrom('a/x', 'c') },
    facts,
  });
  assert.deepEqual(lines(result), []);
  assert.deepEqual(reported(result), ['a: blocked folder']);
});
