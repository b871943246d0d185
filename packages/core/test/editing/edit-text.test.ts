import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editText, type TextEdited, type WantedEdit } from '../../src/index.ts';

const one = (oldText: string, newText: string, all = false): WantedEdit => ({ oldText, newText, all });

function edited(texts: readonly [string, ...string[]], ...edits: readonly WantedEdit[]) {
  const outcome = editText(texts, edits);
  assert.equal(outcome.kind, 'edited', JSON.stringify(outcome));
  return outcome as Extract<TextEdited, { readonly kind: 'edited' }>;
}

const lines = (text: readonly { readonly from: number; readonly to: number }[]) =>
  text.map(({ from, to }) => `${from}-${to}`).join();

test('edits are located in one text, so their order does not matter', () => {
  const text = 'one\ntwo\nthree\n';
  const swapped = edited([text], one('three', 'two'), one('two', 'three'));
  assert.equal(swapped.text, 'one\nthree\ntwo\n');
  assert.equal(lines(swapped.lines), '3-3,2-2');
  assert.deepEqual(swapped.others, []);
});

test('a missing text is rejected with the closest line', () => {
  const text = 'alpha\nThe quick brown fox jumps.\nomega\n';
  assert.deepEqual(editText([text], [one('alpha', 'a'), one('The quick brown fox jumped.', 'x')]), {
    kind: 'text_not_found',
    edit: 2,
    closest: { line: 2, text: 'The quick brown fox jumps.' },
  });
  assert.deepEqual(editText([text], [one('nothing like it', 'x')]), {
    kind: 'text_not_found',
    edit: 1,
    closest: null,
  });
});

test('the closest line has the same distinctive words, even with others between them', () => {
  const paragraphs = [0, 1, 2, 3, 4].map((n) => `Paragraph ${n}: the ${n === 3 ? 'very ' : ''}quick brown`);
  const text = `${paragraphs.map((each) => `${each} fox jumps over the lazy dog.`).join('\n\n')}\n`;
  const found = editText([text], [one('Paragraph 3: the quick brown', 'x')]);
  assert.ok(found.kind === 'text_not_found');
  assert.equal(found.closest?.line, 7);
  assert.equal(found.alsoSimilar, undefined);
  const near = editText([text], [one('Paragraph 7: the quick brown', 'x')]);
  assert.ok(near.kind === 'text_not_found');
  assert.deepEqual([near.closest?.line, near.alsoSimilar?.length], [1, 2]);
});

test('a repeated text is rejected with its lines, unless all is set', () => {
  const text = 'a\nb\r\na b\n';
  assert.deepEqual(editText([text], [one('a', 'x')]), {
    kind: 'text_ambiguous',
    edit: 1,
    occurrences: 2,
    matches: [
      { line: 1, text: 'a' },
      { line: 3, text: 'a b' },
    ],
  });
  const all = edited([text], one('a', 'x', true));
  assert.equal(all.text, 'x\nb\r\nx b\n');
  assert.equal(lines(all.lines), '1-3');
  // Overlapping matches count as several matches; `all` replaces those that do not overlap.
  assert.equal(editText(['aaa'], [one('aa', 'b')]).kind, 'text_ambiguous');
  assert.equal(edited(['aaaaa'], one('aa', 'b', true)).text, 'bba');
});

test('overlapping edits are rejected, adjacent edits are applied', () => {
  assert.deepEqual(editText(['abcd'], [one('cd', ''), one('bc', '')]), {
    kind: 'edits_overlap',
    edits: [1, 2],
  });
  assert.equal(edited(['abcd'], one('cd', '2'), one('ab', '1')).text, '12');
});

test('line ends, no-break spaces and white space at the ends of lines are folded where nothing matches exactly', () => {
  const text = '\ufefffoo  \r\nbar\u00a0baz\r\nend\r\n';
  const folded = edited([text], one('foo\nbar baz\n', 'FOO\nBAR\n'));
  assert.equal(folded.text, '\ufeffFOO\r\nBAR\r\nend\r\n');
  assert.deepEqual(folded.folded, [1]);
  assert.deepEqual(edited([text], one('end', 'a\nb')).folded, []);
  // Indentation is not folded, and neither is white space within a line.
  assert.equal(editText(['  foo  bar\n'], [one('foo bar', 'x')]).kind, 'text_not_found');
  assert.equal(editText(['foo\n\nbar\n'], [one('foo\nbar', 'x')]).kind, 'text_not_found');
  // A folded match is used only if it is unique.
  assert.equal(editText(['a \nb\na\t\nb\n'], [one('a\nb', 'x')]).kind, 'text_ambiguous');
});

test('the new text gets the line ends of the file, and all other bytes stay', () => {
  assert.equal(edited(['a\r\nb\r\n'], one('a', '1\n2')).text, '1\r\n2\r\nb\r\n');
  assert.equal(edited(['a\nb\n'], one('b', '1\r\n2')).text, 'a\n1\n2\n');
  assert.equal(edited(['a\r\nb\nc'], one('c', '1\n2')).text, 'a\r\nb\n1\n2');
  assert.equal(edited(['no end'], one('no', '1\r\n2')).text, '1\r\n2 end');
  assert.equal(edited(['a\0b\r'], one('\0b', '\0c')).text, 'a\0c\r');
});

const base = Array.from({ length: 20 }, (_, i) => `line ${i + 1} of the plan\n`).join('');

test('an edit applies after others changed adjacent lines or words of the same line', () => {
  const far = base.replace('line 2 ', 'LINE 2 ');
  const { text, lines: at, others } = edited([base, far], one('line 12 ', 'Line twelve '));
  assert.equal(text, far.replace('line 12 ', 'Line twelve '));
  assert.equal(lines(at), '12-12');
  assert.deepEqual(others, [{ from: 2, to: 2, text: 1 }]);
  for (const next of ['line 11 ', 'line 13 ']) {
    const near = base.replace(next, 'changed ');
    assert.equal(
      edited([base, near], one('line 12 of', 'twelve of')).text,
      near.replace('line 12 of', 'twelve of'),
    );
  }
  const same = base.replace('12 of the plan', '12 of the programme');
  assert.equal(edited([base, same], one('line 12', 'twelve')).text, same.replace('line 12', 'twelve'));
});

test('an edit of text that others changed is rejected with the current text', () => {
  const theirs = base.replace('line 12 of the plan', 'line 12 is gone');
  const outcome = editText(
    [base, base.replace('line 1 ', ''), theirs.replace('line 1 ', '')],
    [one('line 3 of', 'three'), one('line 12 of the plan', 'x')],
  );
  assert.deepEqual(outcome, {
    kind: 'text_changed',
    edit: 2,
    text: 2,
    current: { line: 11, text: 'line 11 of the plan\nline 12 is gone\nline 13 of the plan' },
  });
});

test('the rejection names the writer who last changed the text of the edit', () => {
  const changed = base.replace('line 12 of the plan', 'line 12 is gone');
  for (const [what, ...later] of [
    ['the next line', changed.replace('line 13 ', 'thirteen ')],
    ['the line before', changed.replace('line 11 ', 'eleven ')],
    ['a new line before', changed.replace('line 12 ', 'new\nline 12 ')],
    ['the same line further on', changed.replace('is gone', 'is gone for good')],
    ['lines on both sides', changed.replace('line 11 ', '11 '), changed.replace('line 1', '11\nline 1')],
  ] as const) {
    const outcome = editText([base, changed, ...later], [one('line 12 of the', 'x')]);
    assert.deepEqual([what, outcome.kind, 'text' in outcome && outcome.text], [what, 'text_changed', 1]);
  }
  const gone = base.replace('line 12 of the plan\n', '');
  const put = base.replace('line 12 of the plan\n', 'a line in its place\n');
  for (const [text, expected] of [
    [changed.replace('12 is gone', '12 is back'), 2],
    [put, 2],
  ] as const) {
    const outcome = editText([base, text === put ? gone : changed, text], [one('line 12 of', 'x')]);
    assert.deepEqual([outcome.kind, 'text' in outcome && outcome.text], ['text_changed', expected]);
  }
});

test('an edit that another user already made counts as done', () => {
  const mine = base.replace('line 12 ', 'twelve ');
  const again = edited([base, mine], one('line 12 ', 'twelve '));
  assert.equal(again.text, mine);
  const since = mine.replace('line 3 ', 'three ');
  assert.equal(edited([base, mine, since], one('line 12 ', 'twelve ')).text, since);
});

test('the text that added a line is named', () => {
  const first = base.replace('line 2 ', 'two ');
  const second = first.replace('line 18 ', 'eighteen ');
  const { others } = edited([base, first, `new\n${second}`], one('line 10 ', 'ten '));
  assert.deepEqual(others, [
    { from: 1, to: 1, text: 2 },
    { from: 3, to: 3, text: 1 },
    { from: 19, to: 19, text: 2 },
  ]);
});

test('repetitive texts take no more time than others', () => {
  const repeated = 'a'.repeat(200_000);
  assert.equal(editText([repeated], [one(`${'a'.repeat(50_000)}b`, 'x')]).kind, 'text_not_found');
  assert.equal(editText([repeated], [one('aa', 'x')]).kind, 'text_ambiguous');
  assert.equal(edited([repeated], one('aa', 'x', true)).text.length, 100_000);
  assert.equal(editText(['a'.repeat(200_001)], [one('a', 'x', true)]).kind, 'too_many_places');
});
