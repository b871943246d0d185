import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { utf8Text, utf8TextWithoutMark } from '@stoa/core';

const marked = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);

test('text keeps its byte order mark, or loses one', () => {
  assert.equal(utf8Text(marked), '\ufeffa');
  assert.equal(utf8TextWithoutMark(marked), 'a');
  assert.equal(utf8Text(new Uint8Array()), '');
});

test('bytes that are not UTF-8 have no text, and do not affect the next ones', () => {
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0x80]]) {
    assert.equal(utf8Text(Uint8Array.from(bytes)), null);
    assert.equal(utf8TextWithoutMark(Uint8Array.from(bytes)), null);
    assert.equal(utf8Text(new TextEncoder().encode('ä')), 'ä');
  }
});

test('no other source decodes UTF-8 strictly', async () => {
  const root = join(import.meta.dirname, '../../../..');
  const found: string[] = [];
  for await (const file of glob('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (/\bfatal: true\b/.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  assert.deepEqual(found, ['packages/core/src/text/utf8-text.ts']);
});
