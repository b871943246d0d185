import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentHash, ResolvedAnchor } from '@stoa/core';
import { createKnownAnchors } from '../../src/service/comments/known-anchors.ts';

const hash = (digit: string) => digit.repeat(64) as ContentHash;

function anchored(currentText: string): ResolvedAnchor {
  return { status: 'anchored', range: { start: 0, end: currentText.length }, currentText };
}

test('an anchor is known for the content that it was found in, and no other', () => {
  const known = createKnownAnchors();
  known.keep('thread_1', hash('a'), anchored('here'));
  assert.deepEqual(known.find('thread_1', hash('a')), anchored('here'));
  assert.equal(known.find('thread_1', hash('b')), null);
  assert.equal(known.find('thread_2', hash('a')), null);
});

test('the anchors used last stay within the memory that is given', () => {
  const known = createKnownAnchors({ bytesMax: 3 * 1000 });
  const text = 'x'.repeat(350);
  for (const thread of ['1', '2', '3']) known.keep(thread, hash('a'), anchored(text));
  known.find('1', hash('a'));
  known.keep('4', hash('a'), anchored(text));
  const found = ['1', '2', '3', '4'].filter((thread) => known.find(thread, hash('a')) !== null);
  assert.deepEqual(found, ['1', '3', '4']);
});

test('keeping the same anchor again costs nothing more', () => {
  const known = createKnownAnchors({ bytesMax: 3 * 1000 });
  known.keep('1', hash('a'), anchored('x'.repeat(350)));
  for (let again = 0; again < 10; again += 1) known.keep('2', hash('a'), anchored('x'.repeat(350)));
  assert.notEqual(known.find('1', hash('a')), null);
});
