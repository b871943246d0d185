import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContentHash, parseWorkspacePath, type WorkspaceError } from '@stoa/core';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { type ReadWindow, readWindow } from '../../src/mcp/read-window.ts';
import type { ReadableFile } from '../../src/service/files/read-file.ts';

type Encoding = 'utf8' | 'base64';

const contentHash = '0'.repeat(64);

/** A file of these bytes. Like stored files, large ones arrive in chunks, cut anywhere. */
function fileOf(bytes: Uint8Array, chunkBytes: number | null = null): ReadableFile {
  assert.ok(isContentHash(contentHash));
  return {
    file: {
      workspaceId: 'w',
      path: parseWorkspacePath('a.md'),
      incarnation: 1,
      version: 1,
      sizeBytes: bytes.byteLength,
      contentType: 'text/markdown',
      contentHash,
    },
    async open({ start, end } = { start: 0, end: bytes.byteLength }) {
      const asked = bytes.subarray(start, end);
      return chunkBytes === null ? asked : ReadableStream.from(chunks(asked, chunkBytes));
    },
  };
}

function* chunks(bytes: Uint8Array, chunkBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Reads to the end as an agent does: from 0 on by nextOffset. */
async function readAll(file: ReadableFile, maxBytes: number, encoding: Encoding): Promise<readonly string[]> {
  const windows: string[] = [];
  for (let start: number | null = 0; start !== null; ) {
    const window: ReadWindow = await readWindow(file, { start, maxBytes }, encoding);
    assert.ok(window.nextOffset === null || window.nextOffset > start, `no progress at ${start}`);
    windows.push(window.content);
    start = window.nextOffset;
  }
  return windows;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const rejection = (says: RegExp) => (error: WorkspaceError) =>
  error.code === 'invalid_request' && says.test(error.message);

test('windows of text put together are the file, whatever the text and the windows', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.integer({ min: 4, max: 50 }),
      fc.option(fc.integer({ min: 1, max: 7 })),
      async (text, maxBytes, chunkBytes) => {
        const windows = await readAll(fileOf(utf8(text), chunkBytes), maxBytes, 'utf8');
        assert.equal(windows.join(''), text);
        for (const window of windows) assert.ok(utf8(window).byteLength <= maxBytes);
      },
    ),
    { numRuns: scaled(1000) },
  );
});

test('windows of base64 put together are the file, whatever its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 80 }),
      fc.integer({ min: 1, max: 50 }),
      fc.option(fc.integer({ min: 1, max: 7 })),
      async (bytes, maxBytes, chunkBytes) => {
        const windows = await readAll(fileOf(bytes, chunkBytes), maxBytes, 'base64');
        const read = windows.map((window) => Buffer.from(window, 'base64'));
        assert.deepEqual(Buffer.concat(read), Buffer.from(bytes));
        for (const window of read) assert.ok(window.byteLength <= maxBytes);
      },
    ),
  );
});

test('a window is as large as whole characters allow', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.integer({ min: 4, max: 50 }), async (text, maxBytes) => {
      const bytes = utf8(text);
      const { content } = await readWindow(fileOf(bytes), { start: 0, maxBytes }, 'utf8');
      const next = [...text.slice(content.length)][0];
      if (next !== undefined) assert.ok(utf8(content + next).byteLength > maxBytes);
    }),
  );
});

test('bytes that are not UTF-8 are never read as text, in any window', async () => {
  const notText = fc.uint8Array({ minLength: 1, maxLength: 40 }).filter((bytes) => !isUtf8(bytes));
  await fc.assert(
    fc.asyncProperty(notText, fc.integer({ min: 4, max: 50 }), async (bytes, maxBytes) => {
      await assert.rejects(readAll(fileOf(bytes), maxBytes, 'utf8'), rejection(/base64/));
    }),
  );
});

test('a stray byte after a whole character means binary data, not a wrong cut of the window', async () => {
  const file = fileOf(Uint8Array.from([0x61, 0x62, 0xc3, 0xa9, 0x80]));
  await assert.rejects(readAll(file, 4, 'utf8'), rejection(/base64/));
});

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

test('a byte order mark is content', async () => {
  const file = fileOf(utf8('\ufeffx'));
  assert.deepEqual(await readAll(file, 100, 'utf8'), ['\ufeffx']);
  assert.deepEqual(await readAll(file, 4, 'utf8'), ['\ufeffx']);
});

test('at the end and past it the window is empty, without a next offset', async () => {
  const file = fileOf(utf8('abc'));
  for (const start of [3, 4, Number.MAX_SAFE_INTEGER]) {
    for (const encoding of ['utf8', 'base64'] as const) {
      const window = await readWindow(file, { start, maxBytes: 10 }, encoding);
      assert.deepEqual(window, { content: '', nextOffset: null });
    }
  }
  assert.deepEqual(await readWindow(fileOf(utf8('')), { start: 0, maxBytes: 1 }, 'utf8'), {
    content: '',
    nextOffset: null,
  });
});

test('a window that ends with the file has no next one', async () => {
  const file = fileOf(utf8('abc'));
  assert.equal((await readWindow(file, { start: 0, maxBytes: 3 }, 'utf8')).nextOffset, null);
  assert.equal((await readWindow(file, { start: 0, maxBytes: 2 }, 'utf8')).nextOffset, 2);
});

test('an offset inside a character is rejected with the offset where it begins', async () => {
  const file = fileOf(utf8('ab\u{1f600}c'));
  for (const start of [3, 4, 5]) {
    const reading = readWindow(file, { start, maxBytes: 10 }, 'utf8');
    await assert.rejects(reading, rejection(new RegExp(`^offset: ${start} is inside .* begins at 2\\b`)));
  }
  assert.equal((await readWindow(file, { start: 2, maxBytes: 10 }, 'utf8')).content, '\u{1f600}c');
  const base64 = await readWindow(file, { start: 3, maxBytes: 10 }, 'base64');
  assert.equal(base64.content, Buffer.from(utf8('\u{1f600}c').subarray(1)).toString('base64'));
});

test('a window too small for its first character is rejected with a size that fits any', async () => {
  const file = fileOf(utf8('\u{1f600}c'));
  for (const maxBytes of [1, 2, 3]) {
    await assert.rejects(
      readWindow(file, { start: 0, maxBytes }, 'utf8'),
      rejection(/^maxBytes: .*at least 4/),
    );
  }
  assert.equal((await readWindow(file, { start: 0, maxBytes: 4 }, 'utf8')).content, '\u{1f600}');
});

test('missing bytes are an error, not a short file', async () => {
  const file = fileOf(utf8('abc'));
  const damaged = { ...file, file: { ...file.file, sizeBytes: 4 } };
  await assert.rejects(
    readWindow(damaged, { start: 0, maxBytes: 10 }, 'utf8'),
    (error: WorkspaceError) => error.code === 'stored_bytes_missing',
  );
});
