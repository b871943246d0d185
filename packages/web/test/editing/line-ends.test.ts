import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { lineEnds } from '../../src/editing/line-ends.ts';
import { textDocuments } from '../../src/editing/text-documents.ts';
import { corpus } from './corpus.ts';

const open = (text: string, caret = 0) =>
  EditorState.create({ doc: textDocuments.fromText(text), extensions: lineEnds }).update({
    selection: { anchor: caret },
  }).state;
const textOf = (state: EditorState) => textDocuments.toText(state.doc);
const typed = (state: EditorState, insert: string, userEvent = 'input.type') => {
  const { from, to } = state.selection.main;
  return state.update({
    changes: { from, to, insert: state.toText(insert) },
    selection: { anchor: from + insert.length },
    userEvent,
  }).state;
};
const deleted = (state: EditorState, from: number, to: number) =>
  state.update({ changes: { from, to }, userEvent: 'delete.backward' } satisfies TransactionSpec).state;

for (const [name, text] of corpus) {
  test(`${name}: nothing but the typed character changes`, () => {
    assert.deepEqual(Buffer.from(textOf(open(text))), Buffer.from(text));
    for (const wanted of [0, Math.floor(text.length / 2), text.length]) {
      const before = open(text, wanted);
      const caret = before.selection.main.head;
      assert.equal(textOf(typed(before, 'x')), `${text.slice(0, caret)}x${text.slice(caret)}`);
    }
  });
}

test('a caret at the end of a CRLF line is before the carriage return, so that typing goes before it', () => {
  assert.equal(open('one\r\ntwo\r\n', 4).selection.main.head, 3);
  assert.equal(textOf(typed(open('one\r\ntwo\r\n', 4), 'x')), 'onex\r\ntwo\r\n');
  assert.equal(open('one\r\ntwo\r\n', 5).selection.main.head, 5);
});

test('a caret is never before a byte order mark', () => {
  assert.equal(textOf(typed(open('\uFEFFone\n', 0), 'x')), '\uFEFFxone\n');
});

test('a new line gets the line end of its neighbours', () => {
  assert.equal(textOf(typed(open('one\r\ntwo\r\n', 3), '\n')), 'one\r\n\r\ntwo\r\n');
  assert.equal(textOf(typed(open('one\r\ntwo', 8), '\n')), 'one\r\ntwo\r\n');
  assert.equal(textOf(typed(open('one\ntwo\n', 3), '\n')), 'one\n\ntwo\n');
  assert.equal(typed(open('one\r\ntwo\r\n', 3), '\n').selection.main.head, 5);
});

test('pasted lines get the line ends of their neighbours', () => {
  assert.equal(textOf(typed(open('one\ntwo\n', 3), '1\r\n2\r\n', 'input.paste')), 'one1\n2\n\ntwo\n');
  assert.equal(textOf(typed(open('one\r\ntwo\r\n', 3), '1\n2', 'input.paste')), 'one1\r\n2\r\ntwo\r\n');
});

test('deleting a line end removes all of it, from either side', () => {
  assert.equal(textOf(deleted(open('one\r\ntwo\r\n', 5), 4, 5)), 'onetwo\r\n');
  assert.equal(textOf(deleted(open('one\r\ntwo\r\n', 3), 3, 4)), 'onetwo\r\n');
  assert.equal(textOf(deleted(open('one\ntwo\n', 3), 3, 4)), 'onetwo\n');
  assert.equal(textOf(deleted(open('one\rtwo\n', 3), 3, 4)), 'onetwo\n');
});

test('foreign changes and undo are applied unchanged', () => {
  const state = open('one\r\ntwo\r\n');
  const changed = state.update({ changes: { from: 0, insert: state.toText('zero\n') } }).state;
  assert.equal(textOf(changed), 'zero\none\r\ntwo\r\n');
});
