import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHarmlessText } from '../../src/service/themes/is-harmless-text.ts';

test('a value that keeps its brackets together is harmless', () => {
  for (const text of ['red', 'rgb(1 2 3)', 'calc((1px + 2px) * 3)', '[a] 1fr [b]', '"a ) b"', 'a:not([b])']) {
    assert.equal(isHarmlessText(text), true, text);
  }
});

test('a bracket that would reach beyond the text is not', () => {
  for (const text of ['rgb(1', '(', '[', ')', ']', '(]', '[)', 'a) b(', 'calc((1px)', '{', '}', 'a;b']) {
    assert.equal(isHarmlessText(text), false, text);
  }
});
