import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfType, parseWorkspacePath } from '../../src/index.ts';

test('a type is a group of media types, or an extension', () => {
  const types = (path: string, contentType: string, asked: readonly string[]) =>
    asked.filter((type) => isOfType(parseWorkspacePath(path), contentType, type));
  const all = ['md', 'markdown', 'image', 'text', 'code', 'pdf', 'png', 'ts', 'docx'];
  assert.deepEqual(types('a/notes.MD', 'text/markdown', all), ['md', 'markdown', 'text']);
  assert.deepEqual(types('notes', 'text/markdown; charset=utf-8', all), ['md', 'markdown', 'text']);
  assert.deepEqual(types('photo.png', 'application/octet-stream', all), ['image', 'png']);
  assert.deepEqual(types('photo', 'image/png', all), ['image', 'png']);
  assert.deepEqual(types('a.ts', 'text/typescript', all), ['text', 'code', 'ts']);
  assert.deepEqual(types('a.pdf', 'application/octet-stream', all), ['pdf']);
  assert.deepEqual(types('letter.docx', 'application/octet-stream', all), ['docx']);
  assert.deepEqual(types('Makefile', 'application/octet-stream', all), []);
});
