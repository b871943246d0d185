import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oddNames, plainNames } from '../../../../tests/support/odd-characters.ts';
import { settings } from '../../src/text/en/settings.ts';
import { shell } from '../../src/text/en/shell.ts';
import { undoing } from '../../src/text/en/undoing.ts';
import { counted } from '../../src/text/plurals.ts';
import { relativeTime } from '../../src/text/times.ts';
import { visibleName } from '../../src/text/visible-name.ts';

test('singular and plural differ', () => {
  assert.equal(counted(1, 'file', 'files'), '1 file');
  assert.equal(counted(0, 'file', 'files'), '0 files');
  assert.equal(counted(1200, 'file', 'files'), '1,200 files');
});

test('a limit of one and one file use the singular', () => {
  assert.equal(shell.workspaceLimit(1), 'Your plan allows 1 workspace.');
  assert.equal(shell.workspaceLimit(2), 'Your plan allows 2 workspaces.');
  assert.equal(shell.filesUsed(1, 1), '1 of 1 file used.');
  assert.equal(settings.usagePage.filesUnlimited(1), '1 file used');
  assert.equal(settings.usagePage.filesText(1, 2000), '1 of 2,000 files used');
});

test('an operation without changes counts no files', () => {
  assert.equal(undoing.wouldChange(0, 2), 'Nothing would change, 2 files would be left alone.');
  assert.equal(undoing.wouldChange(1, 0), '1 file would change.');
  assert.equal(undoing.action(0), 'Undo');
  assert.equal(undoing.done(0, 1), 'Nothing was undone. 1 file left alone.');
  assert.equal(undoing.done(2, 0), 'Undone in 2 files.');
});

test('times are relative within a week, and none is in the future', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const hour = 3_600_000;
  assert.equal(relativeTime(now - 10_000, now), 'just now');
  assert.equal(relativeTime(now + 60_000, now), 'just now');
  assert.equal(relativeTime(now - 2 * hour, now), '2 hours ago');
  assert.equal(relativeTime(now - 30 * hour, now), 'yesterday');
  assert.match(relativeTime(now - 8 * 24 * hour, now), /2026/);
});

test('a name with a text direction override shows it', () => {
  assert.equal(visibleName('gpj\u202Eexe.md'), 'gpj\\u{202E}exe.md');
  assert.equal(visibleName('a\u0000b\u200Bc'), 'a\\u{0}b\\u{200B}c');
  assert.equal(visibleName('👩\u200d👧 ü.md'), '👩\u200d👧 ü.md');
  for (const [name, shown] of oddNames) assert.equal(visibleName(name), shown);
  for (const name of plainNames) assert.equal(visibleName(name), name);
});
