import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorSelection, EditorState } from '@codemirror/state';
import { continueMark, type Formatting, formatting } from '../../src/editing/formatting.ts';
import { lineEnds } from '../../src/editing/line-ends.ts';
import { textDocuments } from '../../src/editing/text-documents.ts';

/** `«` and `»` are the ends of the selection, `¦` is a caret. */
function open(marked: string): EditorState {
  const text = marked.replace(/[«»¦]/g, '');
  const [anchor, head] = marked.includes('¦')
    ? [marked.indexOf('¦'), marked.indexOf('¦')]
    : [marked.indexOf('«'), marked.indexOf('»') - 1];
  return EditorState.create({
    doc: textDocuments.fromText(text),
    selection: EditorSelection.single(anchor, head),
    extensions: lineEnds,
  });
}

function after(marked: string, command = continueMark): string {
  let state = open(marked);
  command({ state, dispatch: (transaction) => (state = transaction.state) });
  return textDocuments.toText(state.doc);
}
const formatted = (marked: string, kind: Formatting) => after(marked, formatting(kind));

test('marks are added around the selection and removed again', () => {
  assert.equal(formatted('one «two» three', 'bold'), 'one **two** three');
  assert.equal(formatted('one **«two»** three', 'bold'), 'one two three');
  assert.equal(formatted('one «two»', 'code'), 'one `two`');
});

test('line marks are added to each selected line, replace others and are removed again', () => {
  assert.equal(formatted('«one\ntwo»\nthree', 'list'), '- one\n- two\nthree');
  assert.equal(formatted('«- one\n- two»', 'taskList'), '- [ ] one\n- [ ] two');
  assert.equal(formatted('«- one\n- two»', 'list'), 'one\ntwo');
  assert.equal(formatted('  one¦', 'list'), '  - one');
  assert.equal(formatted('one¦', 'quote'), '> one');
});

test('a heading gets a deeper level and is removed after the third', () => {
  assert.equal(formatted('one¦', 'heading'), '# one');
  assert.equal(formatted('# one¦', 'heading'), '## one');
  assert.equal(formatted('### one¦', 'heading'), 'one');
});

test('Enter continues a list, a task list, a numbered list or a quote; an empty item ends it', () => {
  assert.equal(after('- one¦'), '- one\n- ');
  assert.equal(after('  * [x] one¦'), '  * [x] one\n  * [ ] ');
  assert.equal(after('9. one¦'), '9. one\n10. ');
  assert.equal(after('> one¦'), '> one\n> ');
  // A text right below the last item would continue it.
  assert.equal(after('- one\n- ¦'), '- one\n\n');
  assert.equal(after('- one\n  - ¦'), '- one\n\n');
  assert.equal(after('> one\n> ¦'), '> one\n\n');
  assert.equal(after('- one\r\n- ¦\r\n'), '- one\r\n\r\n\r\n');
  assert.equal(after('- one\n\n- ¦'), '- one\n\n');
  assert.equal(after('- ¦'), '');
  assert.equal(after('- one¦\r\n- two\r\n'), '- one\r\n- \r\n- two\r\n');
  assert.equal(after('plain¦'), 'plain');
});
