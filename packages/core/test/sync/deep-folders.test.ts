import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  baseFile,
  folder,
  localFile,
  object,
  plan,
  remoteFile,
  type Situation,
} from './support/trees.ts';

const depth = 120;
const folders = Array.from({ length: depth }, (_, at) =>
  Array(at + 1)
    .fill('d')
    .join('/'),
);
const each = <Value>(paths: readonly string[], value: Value): Record<string, Value> =>
  Object.fromEntries(paths.map((path) => [path, value]));
const files = folders.map((path) => `${path}/f.md`);
/** So many that the deletes are no more than half and need no confirmation. */
const others = folders.flatMap((_, at) => [`${at}.md`, `${at}.txt`]);

const situations: Readonly<Record<string, Situation>> = {
  'local files': { local: each(files, localFile('y')), localFolders: each(folders, folder('o')) },
  'files of the server': { remote: each(files, remoteFile('r')) },
  'local deletes': {
    base: { ...each(files, baseFile('b')), ...each(others, baseFile('b')) },
    baseFolders: each(folders, { object: object('o') }),
    local: each(files, absent),
    localFolders: each(folders, absent),
  },
  'deletes on the server': {
    base: { ...each(files, baseFile('b')), ...each(others, baseFile('b')) },
    baseFolders: each(folders, { object: object('o') }),
    remote: each(files, absent),
  },
};

for (const [name, situation] of Object.entries(situations)) {
  // The planner applies the rules each time it reads the state of a path, which takes time for each folder above it.
  test(`the plan for ${name} in ${depth} nested folders reads each path a few times`, () => {
    let read = 0;
    const isIgnored = (): boolean => {
      read += 1;
      return false;
    };
    const { operations } = plan({ ...situation, facts: { isIgnored, maxChanges: depth } });
    assert.ok(operations.length >= depth);
    assert.ok(read <= 10 * depth, `${read} reads`);
  });
}
