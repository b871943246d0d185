import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { decision, differenceMarks, openDifferences, toDecide } from '../../src/merging/difference-marks.ts';

/** The same words occur twice, and others changed both in the same way. */
const text = 'my apple\n\npear\n\nmy apple\n';
const last = text.lastIndexOf('my');
const differences = [0, last].map((from) => ({ from, to: from + 2, mine: 'my', theirs: 'their' }));

/** Creates an editor without its page. */
function merging() {
  let state = EditorState.create({ doc: text, extensions: [history(), differenceMarks] });
  const dispatch = (spec: TransactionSpec) => {
    state = state.update(spec).state;
  };
  dispatch(toDecide(differences));
  const run = (command: typeof undo) =>
    command({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
  const open = () => state.field(openDifferences);
  return {
    open,
    take: (at: number, taken: 'theirs' | 'mine' | 'both') => {
      const difference = open()[at];
      assert.ok(difference);
      dispatch(decision(state, difference, taken));
    },
    undo: () => run(undo),
    redo: () => run(redo),
    type: (at: number, insert: string) =>
      dispatch({ changes: { from: at, insert }, userEvent: 'input.type' }),
    text: () => state.doc.toString(),
  };
}

test('of two equal differences, only the one that the user decides is decided', () => {
  const editor = merging();
  editor.take(0, 'theirs');
  assert.equal(editor.text(), text.replace('my', 'their'));
  assert.deepEqual(editor.open(), [{ from: last + 3, to: last + 5, mine: 'my', theirs: 'their' }]);
  editor.take(0, 'mine');
  assert.deepEqual(editor.open(), []);
});

test('undo reopens a decision, and redo makes it again', () => {
  const editor = merging();
  editor.take(1, 'theirs');
  editor.take(0, 'both');
  editor.undo();
  editor.undo();
  assert.equal(editor.text(), text);
  assert.deepEqual(editor.open(), differences);
  editor.redo();
  assert.deepEqual(editor.open(), differences.slice(0, 1));
  editor.undo();
  editor.take(1, 'mine');
  editor.type(0, 'Now ');
  editor.undo();
  editor.undo();
  assert.deepEqual(editor.open(), differences);
});
