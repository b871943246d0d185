import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { WorkspaceError } from '@stoa/core';
import fc from 'fast-check';
import { contentArgument } from '../../src/mcp/content-argument.ts';

type Encoding = 'utf8' | 'base64';

/** Returns the whole content, and asserts that the announced size is right. */
async function bytesOf(text: string, encoding: Encoding): Promise<Buffer> {
  const content = contentArgument(text, encoding);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.chunks()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  assert.equal(bytes.byteLength, content.sizeBytes);
  return bytes;
}

const rejection = (says: RegExp) => (error: WorkspaceError) =>
  error.code === 'invalid_request' && says.test(error.message);
const chunkCharacters = 256 * 1024;

test('text becomes the bytes of its UTF-8', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
      assert.deepEqual(await bytesOf(text, 'utf8'), Buffer.from(text));
    }),
  );
});

test('a character across two chunks stays whole', async () => {
  for (const before of [chunkCharacters - 2, chunkCharacters - 1, chunkCharacters, 2 * chunkCharacters - 1]) {
    const text = `${'x'.repeat(before)}\u{1f600}\u{1f600}y`;
    assert.deepEqual(await bytesOf(text, 'utf8'), Buffer.from(text), `after ${before} characters`);
  }
});

test('half a character is rejected, at any position', () => {
  for (const text of ['\ud83d', 'a\ude00b', `${'x'.repeat(chunkCharacters - 1)}\ud83d`]) {
    assert.throws(() => contentArgument(text, 'utf8'), rejection(/^content: .*half a character/));
  }
});

test('base64 becomes the bytes it stands for, with or without padding and line breaks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (given) => {
      const bytes = Buffer.from(given);
      const text = bytes.toString('base64');
      assert.deepEqual(await bytesOf(text, 'base64'), bytes);
      assert.deepEqual(await bytesOf(text.replace(/=+$/, ''), 'base64'), bytes);
      assert.deepEqual(await bytesOf(`${text.replace(/.{5}/g, '$&\r\n')}\n`, 'base64'), bytes);
    }),
  );
});

test('base64 of several chunks is one content', async () => {
  for (const sizeBytes of [196_607, 196_608, 196_609, 500_000]) {
    const bytes = randomBytes(sizeBytes);
    assert.deepEqual(await bytesOf(bytes.toString('base64'), 'base64'), bytes);
  }
});

test('text that is not base64 is rejected, not guessed at', async () => {
  const late = `${'A'.repeat(chunkCharacters)}AA*A`;
  for (const text of [
    'A',
    'AAAAA',
    'a-_a',
    'QQ=Q',
    'QQ=',
    '=',
    'QR==',
    'AAB=',
    'QR',
    '====',
    'Ümlaut',
    'a.b.',
    'data:image/png;base64,AAAA',
    late,
  ]) {
    await assert.rejects(bytesOf(text, 'base64'), rejection(/^content: not valid base64/), text.slice(0, 40));
  }
});

test('an empty text gives no bytes', async () => {
  assert.equal((await bytesOf('', 'utf8')).byteLength, 0);
  assert.equal((await bytesOf('', 'base64')).byteLength, 0);
});

test('each chunk has memory of its own, so it can be transferred to another thread', async () => {
  for (const encoding of ['utf8', 'base64'] as const) {
    for await (const chunk of contentArgument('AAAA'.repeat(200_000), encoding).chunks()) {
      assert.equal(chunk.buffer.byteLength, chunk.byteLength);
    }
  }
});
