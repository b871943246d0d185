import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Text } from '@codemirror/state';
import { blockOf } from '../../src/editing/front-matter.ts';

const endOf = (text: string) => blockOf(Text.of(text.split('\n')))?.length ?? 0;

test('front matter ends after its closing line, with any line ends and after a byte order mark', () => {
  for (const front of ['---\ntitle: a\n---\n', '---\r\ntitle: a\r\n---\r\n', '\ufeff---\na: b\n---\n']) {
    assert.equal(endOf(`${front}# Text\n`), front.length);
  }
});

test('a rule, a block without an end and one further down are text', () => {
  for (const text of ['---\n\nText\n', '# Text\n---\na: b\n---\n', '----\na\n----\n', '']) {
    assert.equal(endOf(text), 0, JSON.stringify(text));
  }
});
