import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { inChunks, markdown } from '../../src/editing/markdown.ts';

test('a long paragraph is parsed in bounded chunks, up to a bounded length', () => {
  const texts = {
    links: '[a][r1] '.repeat(20_000),
    brackets: '['.repeat(100_000),
    lines: 'word\n'.repeat(20_000),
    short: 'a '.repeat(100),
  };
  for (const [name, text] of Object.entries(texts)) {
    const parsed: string[] = [];
    let end = 7;
    const parse = inChunks((chunk, offset) => {
      assert.equal(offset, end, name);
      assert.ok(chunk.length <= 8 * 1024, `${name}: ${chunk.length}`);
      end += chunk.length;
      parsed.push(chunk);
      return [offset];
    });
    assert.equal(parse(text, 7).length, parsed.length);
    assert.equal(parsed.join(''), text.slice(0, 64 * 1024), name);
  }
});

test('marks are found in all chunks of a long paragraph', () => {
  const doc = `${'[a](b.md) **c** '.repeat(3000)}\n\n> ${'*d* '.repeat(3000)}\n`;
  const state = EditorState.create({ doc, extensions: markdown });
  const counts = new Map<string, number>();
  ensureSyntaxTree(state, doc.length, 60_000)?.iterate({
    enter: ({ name }) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  });
  assert.deepEqual(
    [counts.get('Link'), counts.get('StrongEmphasis'), counts.get('Emphasis')],
    [3000, 3000, 3000],
  );
});
