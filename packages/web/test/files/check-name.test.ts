import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNewName, checkRename, keepBothPath, newFileText } from '../../src/files/check-name.ts';
import { listingOf } from './listing.ts';

const listing = listingOf(['notes/plan.md', 'notes/old/a.md', 'readme']);

test('a free name is a path in the folder, in its canonical form', () => {
  assert.deepEqual(checkNewName(' todo.md ', 'notes', listing), { kind: 'free', path: 'notes/todo.md' });
  assert.deepEqual(checkNewName('2026/11/a\u0308.md', '', listing), { kind: 'free', path: '2026/11/ä.md' });
});

test('an existing item is named', () => {
  assert.deepEqual(checkNewName('plan.md', 'notes', listing), { kind: 'taken', name: 'plan.md' });
  assert.deepEqual(checkNewName('old', 'notes', listing), { kind: 'taken', name: 'old' });
  assert.deepEqual(checkNewName('readme/x.md', '', listing), { kind: 'taken', name: 'readme' });
});

test('an invalid name has its reason', () => {
  const reasonOf = (name: string) => {
    const check = checkNewName(name, 'notes', listing);
    return check.kind === 'unusable' ? check.reason : check.kind;
  };
  assert.equal(reasonOf(''), 'the path is empty');
  assert.equal(reasonOf('  '), 'the path is empty');
  assert.equal(reasonOf('../x'), '".." is not allowed');
  assert.equal(reasonOf('a\\b'), 'backslashes are not allowed');
  assert.equal(reasonOf(`${'ä'.repeat(130)}.md`), 'a segment is longer than 255 bytes');
  assert.match(reasonOf('.keep'), /keeps empty folders/);
});

test('a rename stays in its folder, and an item does not block its own name', () => {
  assert.deepEqual(checkRename('new.md', 'notes/plan.md', listing), { kind: 'free', path: 'notes/new.md' });
  assert.deepEqual(checkRename('plan.md', 'notes/plan.md', listing), { kind: 'free', path: 'notes/plan.md' });
  assert.equal(checkRename('old', 'notes/plan.md', listing).kind, 'taken');
  assert.equal(checkRename('old/plan.md', 'notes/plan.md', listing).kind, 'unusable');
});

test('both are kept under the next number, before the last extension', () => {
  const taken = new Set(['a/plan.md', 'a/plan (2).md', '.env', 'x.tar.gz', 'LICENSE']);
  const isTaken = (path: string) => taken.has(path);
  assert.equal(keepBothPath('a/plan.md', isTaken), 'a/plan (3).md');
  assert.equal(keepBothPath('.env', isTaken), '.env (2)');
  assert.equal(keepBothPath('x.tar.gz', isTaken), 'x.tar (2).gz');
  assert.equal(keepBothPath('LICENSE', isTaken), 'LICENSE (2)');
});

test('a new file holds at least a line end, and markdown its name', () => {
  assert.equal(newFileText('plan.md'), '# plan\n');
  assert.equal(newFileText('data.csv'), '');
  assert.equal(newFileText('.md'), '');
});
