import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeSpec, EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { shiftLines } from '../../src/editing/line-gutter.ts';
import { textDocuments } from '../../src/editing/text-documents.ts';

/** Each line of a text is its own note, and what is typed has `+`. */
function transferred(text: string, changes: ChangeSpec): string {
  const state = EditorState.create({ doc: textDocuments.fromText(text) });
  const transaction = state.update({ changes });
  return shiftLines(text.split('\n'), transaction.changes, state.doc, transaction.newDoc, '+').join('|');
}

test('typing in a line makes it another line and keeps the lines around it', () => {
  assert.equal(transferred('a\nb\nc', { from: 2, insert: 'x' }), 'a|+|c');
  assert.equal(transferred('a\nb\nc', { from: 3, insert: 'x' }), 'a|+|c');
  assert.equal(transferred('a\nb\nc', { from: 2, to: 3 }), 'a|+|c');
  assert.equal(transferred('a\n\nc', { from: 2, insert: 'x' }), 'a|+|c');
  assert.equal(transferred('aa\nb', { from: 1, insert: '\n' }), '+|+|b');
  assert.equal(transferred('a\nb\nc', { from: 1, to: 2 }), '+|c');
});

test('inserting or removing whole lines keeps the lines next to them', () => {
  assert.equal(transferred('a\nb\nc', { from: 2, insert: 'x\ny\n' }), 'a|+|+|b|c');
  assert.equal(transferred('a\nb\nc', { from: 3, insert: '\nx' }), 'a|b|+|c');
  assert.equal(transferred('a\nb\nc', { from: 0, to: 2 }), 'b|c');
  assert.equal(transferred('a\nb\nc', { from: 3, to: 5 }), 'a|b');
  assert.equal(transferred('a\nb\nc', { from: 2, to: 4, insert: 'x\ny\n' }), 'a|+|+|c');
});

test('several changes at once, also in one line', () => {
  assert.equal(
    transferred('aaaa\nb\nc', [
      { from: 1, insert: 'x' },
      { from: 3, insert: 'y\nz' },
      { from: 7, to: 8 },
    ]),
    '+|+|b|+',
  );
});

test('after any changes each line has one mark, and a kept mark is on its own line', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(12), fc.nat(4), fc.constantFrom('', 'x', '\n', 'x\n', '\nx', 'x\ny')), {
        maxLength: 3,
      }),
      (lines, edits) => {
        const text = lines.join('\n');
        let at = 0;
        const changes = edits.flatMap(([skip, length, insert]) => {
          const from = at + skip;
          const to = from + length;
          at = to + 1;
          return to <= text.length ? [{ from, to, insert }] : [];
        });
        const state = EditorState.create({ doc: textDocuments.fromText(text) });
        const transaction = state.update({ changes });
        const { newDoc } = transaction;
        const notes = shiftLines(lines, transaction.changes, state.doc, newDoc, '+');
        assert.equal(notes.length, newDoc.lines);
        for (const [index, note] of notes.entries())
          if (note !== '+') assert.equal(newDoc.line(index + 1).text, note);
      },
    ),
  );
});
