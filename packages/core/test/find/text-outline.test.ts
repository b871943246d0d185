import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineOf } from '../../src/find/text-outline.ts';

test('the title is that of the front matter, else the first heading of level 1', () => {
  assert.equal(outlineOf('---\ntitle: The plan\n---\n# Other\n').title, 'The plan');
  assert.equal(outlineOf('Text\n\n## Two\n# One #\n# Second\n').title, 'One');
  assert.equal(outlineOf('---\ntitle: [a]\n---\nText').title, null);
  assert.equal(outlineOf('').title, null);
});

test('headings in code blocks do not count', () => {
  assert.deepEqual(
    outlineOf('# A\r\n```sh\n# not this\n```\n~~~~\n# nor this\n~~~\n~~~~\n### B\n#none').headings,
    ['A', 'B'],
  );
});

test('tags are a list or a text with commas, folded', () => {
  assert.deepEqual(outlineOf('---\ntags: [Road, "#Map", 2026]\n---\n').tags, ['road', 'map', '2026']);
  assert.deepEqual(outlineOf('---\ntags: Road, map,\n---\n').tags, ['road', 'map']);
  for (const block of ['tags: {a: 1}', 'tags:', 'tags: [a', 'x']) {
    assert.deepEqual(outlineOf(`---\n${block}\n---\n`).tags, [], block);
  }
});

test('headings and tags have limits', () => {
  const many = outlineOf(
    `---\ntags: [${Array(500).fill('t').join(', ')}]\n---\n${'# h\n'.repeat(500)}# ${'x'.repeat(1000)}`,
  );
  assert.equal(many.headings.length, 200);
  assert.equal(many.tags.length, 100);
});
