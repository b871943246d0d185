import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Text } from '@codemirror/state';
import { newNote } from '../../src/calendar/new-note.ts';
import { isJustMade } from '../../src/editing/just-made.ts';

const docOf = (text: string) => Text.of(text.split('\n'));

test('a new file, also a calendar note, opens with the caret at its end', () => {
  const made = ['', '\n', '# plan\n', newNote('2026-12-10')];
  for (const text of made) assert.ok(isJustMade(1, docOf(text)), JSON.stringify(text));
});

test('an existing text opens at its beginning', () => {
  for (const [version, text] of [
    [2, newNote('2026-12-10')],
    [1, `${newNote('2026-12-10')}Ring the printer.\n`],
    [1, '---\ntitle: Plan\n---\n\n'],
    [1, '# plan\n\nSome words.\n'],
  ] as const) {
    assert.ok(!isJustMade(version, docOf(text)), JSON.stringify(text));
  }
});
