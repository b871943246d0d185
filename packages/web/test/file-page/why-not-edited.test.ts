import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNotEdited } from '../../src/file-page/why-not-edited.ts';
import { textMaxBytes } from '../../src/reading/decode-text.ts';
import { fileView } from '../../src/reading/file-view.ts';
import { editing } from '../../src/text/en/editing.ts';

const why = (
  contentType: string,
  { size = 10, decoded = null }: { size?: number; decoded?: 'text' | 'not_text' | 'too_large' | null } = {},
) => whyNotEdited({ path: 'file', contentType, size }, decoded);

test('text and text-based drawings can be edited', () => {
  for (const type of ['text/markdown', 'text/csv', 'text/html', 'image/svg+xml', 'application/octet-stream'])
    assert.equal(why(type), null, type);
  assert.equal(why('text/plain', { decoded: 'text' }), null);
});

test('a file that is not text is reported as soon as it is known', () => {
  for (const type of ['image/png', 'video/mp4', 'application/pdf', 'application/zip'])
    assert.equal(why(type), editing.notText, type);
  assert.equal(why('text/plain', { decoded: 'not_text' }), editing.notText);
});

test('an unknown type counts as that of the extension', () => {
  for (const contentType of ['application/octet-stream', 'application/x-www-form-urlencoded']) {
    const fileWhy = (path: string) => whyNotEdited({ path, contentType, size: 10 }, null);
    for (const path of ['photo.jpg', 'a.pdf', 'a.zip']) assert.equal(fileWhy(path), editing.notText, path);
    for (const path of ['a.svg', 'a.csv', 'a.txt', 'a.md', 'Makefile'])
      assert.equal(fileWhy(path), null, path);
    const shown = (path: string) => fileView({ path, contentType, sizeBytes: 10 }).kind;
    assert.deepEqual(
      ['photo.jpg', 'a.svg', 'a.pdf', 'a.zip', 'a.csv', 'a.txt', 'a.md', 'a.html', 'Makefile'].map(shown),
      ['picture', 'picture', 'pdf', 'none', 'csv', 'source', 'markdown', 'html', 'source'],
    );
  }
});

test('a too large text is reported as too large, not as binary', () => {
  for (const type of ['text/markdown', 'text/html', 'image/svg+xml'])
    assert.equal(why(type, { size: textMaxBytes + 1 }), editing.tooLarge, type);
  assert.equal(why('video/mp4', { size: textMaxBytes + 1 }), editing.notText);
});
