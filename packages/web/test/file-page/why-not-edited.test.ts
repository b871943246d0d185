import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNotEdited } from '../../src/file-page/why-not-edited.ts';
import { textMaxBytes } from '../../src/reading/decode-text.ts';
import { editing } from '../../src/text/en/editing.ts';

const why = (
  contentType: string,
  { size = 10, decoded = null }: { size?: number; decoded?: 'text' | 'not_text' | 'too_large' | null } = {},
) => whyNotEdited({ path: 'file', contentType, size }, decoded);

test('what is text is edited, and drawings that are text', () => {
  for (const type of ['text/markdown', 'text/csv', 'text/html', 'image/svg+xml', 'application/octet-stream'])
    assert.equal(why(type), null, type);
  assert.equal(why('text/plain', { decoded: 'text' }), null);
});

test('what is not text says so, as soon as that is known', () => {
  for (const type of ['image/png', 'video/mp4', 'application/pdf', 'application/zip'])
    assert.equal(why(type), editing.notText, type);
  assert.equal(why('text/plain', { decoded: 'not_text' }), editing.notText);
});

test('a text that is too large says that, and not that it is none', () => {
  for (const type of ['text/markdown', 'text/html', 'image/svg+xml'])
    assert.equal(why(type, { size: textMaxBytes + 1 }), editing.tooLarge, type);
  assert.equal(why('video/mp4', { size: textMaxBytes + 1 }), editing.notText);
});
