import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { applyForeign, foreignMarks, markedMs } from '../../src/editing/foreign-edits.ts';

/** The part of an editor that a change needs. Node has no document for a full one. */
class Shown {
  state = EditorState.create({ doc: 'one two three', extensions: foreignMarks });

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state;
  }

  get marks(): readonly string[] {
    const found: string[] = [];
    for (const decorations of this.state.facet(EditorView.decorations)) {
      if (typeof decorations === 'function') continue;
      decorations.between(0, this.state.doc.length, (from, to) => {
        found.push(this.state.sliceDoc(from, to));
      });
    }
    return found;
  }
}

test('each foreign change is marked for its own five seconds, even if more follow', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shown = new Shown();
  const view = shown as unknown as EditorView;
  applyForeign(view, [{ start: 0, end: 0, text: 'zero ' }], 'Claude (agent)');
  t.mock.timers.tick(markedMs - 1000);
  applyForeign(view, [{ start: shown.state.doc.length, end: shown.state.doc.length, text: ' four' }], 'Ben');
  assert.deepEqual(shown.marks, ['zero ', ' four']);
  t.mock.timers.tick(1000);
  assert.deepEqual(shown.marks, [' four']);
  t.mock.timers.tick(markedMs - 1001);
  assert.deepEqual(shown.marks, [' four']);
  t.mock.timers.tick(1);
  assert.deepEqual(shown.marks, []);
});
