import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inGroups, onceEach, rankCommands } from '../../src/palette/rank-commands.ts';
import { parseRecentFiles, recentFilesMax, withRecentFile } from '../../src/store/recent-files.ts';

const commands = ['New file', 'New folder', 'Upload files', 'Rename', 'Activity', 'API keys'].map(
  (words) => ({ words }),
);
const ranked = (typed: string) => rankCommands(commands, typed).map(({ words }) => words);

test('all commands in their order until something is typed', () => {
  assert.equal(ranked('  ').length, commands.length);
});

test('the start of the words comes before the start of a word, and letters apart last', () => {
  assert.deepEqual(ranked('new f'), ['New file', 'New folder']);
  assert.deepEqual(ranked('fi'), ['New file', 'Upload files']);
  assert.deepEqual(ranked('rename'), ['Rename']);
  assert.deepEqual(ranked('nfi'), ['New file']);
  assert.deepEqual(ranked('zzz'), []);
});

test('a command that two parts offer is there once, with its keys', () => {
  const offered = [
    { id: 'share', words: 'Share' },
    { id: 'items.Share', words: 'Share', keys: ['s'] },
    { id: 'file.edit', words: 'Edit', keys: ['e'] },
    { id: 'items.Edit', words: 'Edit' },
  ];
  assert.deepEqual(
    onceEach(offered).map(({ id }) => id),
    ['items.Share', 'file.edit'],
  );
});

test('commands for the selection come first, then those for the page, and those for the account last', () => {
  const ids = ['account.Profile', 'page.Rename', 'go.top', 'items.Rename', 'new-file', 'items.Delete'];
  assert.deepEqual(
    inGroups(ids.map((id) => ({ id }))).map(({ id }) => id),
    ['items.Rename', 'items.Delete', 'go.top', 'new-file', 'page.Rename', 'account.Profile'],
  );
});

test('recent files: newest first, each once, few', () => {
  const many = Array.from({ length: 30 }, (_, i) => `${i}.md`).reduce(
    withRecentFile,
    [] as readonly string[],
  );
  assert.equal(many.length, recentFilesMax);
  assert.equal(many[0], '29.md');
  assert.deepEqual(withRecentFile(['a', 'b'], 'b'), ['b', 'a']);
});

test('invalid stored data on the device is ignored', () => {
  assert.deepEqual(parseRecentFiles(null), []);
  assert.deepEqual(parseRecentFiles('{"a":1}'), []);
  assert.deepEqual(parseRecentFiles('[1'), []);
  assert.deepEqual(parseRecentFiles('["a",2,"b"]'), ['a', 'b']);
});
