import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLines } from '../../src/history/compare-lines.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

function drawn(older: string, newer: string): string[] {
  return compareLines(older, newer).lines.map((line) =>
    line.kind === 'skipped'
      ? `… ${line.count}`
      : `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`,
  );
}

test('changed lines are shown below each other, with three equal lines around them', () => {
  const older = numbered(1, 20);
  assert.deepEqual(drawn(older, older.replace('line 10\n', 'line ten\n')), [
    '… 6',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+line ten',
    ' line 11',
    ' line 12',
    ' line 13',
    '… 7',
  ]);
});

test('changes are numbered from the first, and lines between near ones are shown', () => {
  const { lines, changes } = compareLines('a\nb\nc\nd\n', 'A\nb\nc\nD\nE\n');
  assert.equal(changes, 2);
  assert.deepEqual(
    lines.map((line) => (line.kind === 'skipped' ? line.count : line.change)),
    [0, 0, null, null, 1, 1, 1],
  );
});

test('equal texts have no change, and all their lines are omitted', () => {
  assert.deepEqual(compareLines('a\nb\n', 'a\nb\n'), { lines: [{ kind: 'skipped', count: 2 }], changes: 0 });
});

test('an empty text becomes one, and the missing last line end is a change', () => {
  assert.deepEqual(drawn('', 'a\nb\n'), ['+a', '+b']);
  assert.deepEqual(drawn('a\n', 'a'), ['-a', '+a']);
});
