import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const capBytes = 1024 * 1024;

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  return { workspace, mcp: openMcp(server, key, { workspaceId: workspace.id }) };
}

test(
  ...claims(
    ['mcp.read-file', 'mcp.read-file.encoding'],
    'a file is read with its version and type, as text or as base64',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const text = '# Grüße 😀\r\n\ttab "quoted" \\ \u0001 end';
    const size = Buffer.byteLength(text);
    await workspace.put('a.md', 'first');
    await workspace.put('a.md', text, { ifMatch: 1 });
    const whole = { version: 2, contentType: 'text/markdown', content: text, size, nextOffset: null };
    assert.deepEqual(await dataOf(mcp, 'read_file', { path: 'a.md' }), whole);
    assert.deepEqual(await dataOf(mcp, 'read_file', { path: 'a.md', encoding: 'utf8' }), whole);
    const content = Buffer.from(text).toString('base64');
    assert.deepEqual(await dataOf(mcp, 'read_file', { path: 'a.md', encoding: 'base64' }), {
      ...whole,
      content,
    });
    await assertHardError(
      mcp,
      'read_file',
      { path: 'a.md', encoding: 'latin1' },
      /^encoding: .*utf8 or base64/,
    );
    // Clients that show only text must get the content unaltered.
    assert.ok((await mcp.call('read_file', { path: 'a.md' })).text.endsWith(`\n${text}`));
  },
);

test(...claims('mcp.read-file', 'a read returns the stored type, and an empty file is empty'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.bin', 'x', { contentType: 'text/x-own; charset=utf-8' });
  assert.equal((await dataOf(mcp, 'read_file', { path: 'a.bin' })).contentType, 'text/x-own; charset=utf-8');
  await dataOf(mcp, 'write_file', { path: 'empty.md', content: '' });
  for (const encoding of ['utf8', 'base64']) {
    for (const given of [{}, { offset: 0 }, { maxBytes: 1 }]) {
      assert.deepEqual(await dataOf(mcp, 'read_file', { path: 'empty.md', encoding, ...given }), {
        version: 1,
        contentType: 'text/markdown',
        content: '',
        size: 0,
        nextOffset: null,
      });
    }
  }
});

test(...claims('mcp.read-file.missing', 'a missing file is an error'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a/b.md', 'x');
  await workspace.put('gone.md', 'x');
  await workspace.remove('gone.md', 1);
  for (const path of ['none.md', 'gone.md', 'A/b.md']) {
    await assertHardError(mcp, 'read_file', { path }, /^File not found/);
  }
  await assertHardError(mcp, 'read_file', { path: 'a' }, /^"a" is a folder of 1 file\. Next: list_files /);
});

test(
  ...claims(
    ['mcp.read-file.whole', 'mcp.read-file.too-large', 'mcp.read-file.clamp'],
    'a call reads 1 MiB to the byte, and says how to read more',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const exact = 'a'.repeat(capBytes);
    await workspace.put('exact.md', exact);
    await workspace.put('over.md', `${exact}b`);
    const read = (path: string, given: Readonly<Record<string, unknown>> = {}) =>
      dataOf(mcp, 'read_file', { path, ...given });
    assert.deepEqual(await read('exact.md'), {
      version: 1,
      contentType: 'text/markdown',
      content: exact,
      size: capBytes,
      nextOffset: null,
    });
    for (const encoding of ['utf8', 'base64']) {
      const text = await assertHardError(mcp, 'read_file', { path: 'over.md', encoding }, /\b1048577 bytes/);
      assert.match(text, /offset 0/);
      assert.match(text, /maxBytes/);
    }
    for (const given of [
      { maxBytes: capBytes + 1 },
      { maxBytes: 1_000_000_000 },
      { offset: 0 },
      { maxBytes: capBytes },
    ]) {
      const first = await read('over.md', given);
      assert.equal(first.content, exact);
      assert.deepEqual([first.size, first.nextOffset], [capBytes + 1, capBytes]);
    }
    const last = await read('over.md', { offset: capBytes });
    assert.deepEqual([last.content, last.nextOffset], ['b', null]);
    const base64 = await read('over.md', { offset: 0, encoding: 'base64' });
    assert.deepEqual(Buffer.from(String(base64.content), 'base64'), Buffer.from(exact));
  },
);

test(
  ...claims(
    ['mcp.read-file.windows', 'mcp.read-file.characters'],
    'a large text is read to its end in windows, no character torn',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const text = 'aé€😀'.repeat(250_000);
    await workspace.put('large.md', text);
    for (const maxBytes of [capBytes, 333_333]) {
      const windows: string[] = [];
      for (let offset: unknown = 0; offset !== null; ) {
        const window = await dataOf(mcp, 'read_file', { path: 'large.md', offset, maxBytes });
        const content = String(window.content);
        const bytes = Buffer.byteLength(content);
        assert.ok(content.isWellFormed() && !content.includes('\ufffd'));
        assert.ok(bytes <= maxBytes);
        if (window.nextOffset !== null) {
          assert.ok(bytes > maxBytes - 4);
          assert.equal(window.nextOffset, Number(offset) + bytes);
        }
        windows.push(content);
        offset = window.nextOffset;
      }
      assert.ok(windows.join('') === text, `windows of ${maxBytes} are not the file`);
    }
  },
);

test(...claims('mcp.read-file.windows', 'bytes of any kind are read in windows of base64'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const bytes = randomBytes(2_500_000);
  await workspace.put('large.bin', bytes);
  const windows: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; offset += capBytes) {
    const window = await dataOf(mcp, 'read_file', { path: 'large.bin', offset, encoding: 'base64' });
    windows.push(Buffer.from(String(window.content), 'base64'));
    assert.equal(window.nextOffset, offset + capBytes < bytes.length ? offset + capBytes : null);
  }
  assert.ok(Buffer.concat(windows).equals(bytes));
});

test(
  ...claims('mcp.read-file.characters', 'a small window ends before the character that does not fit'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('a.md', 'ab😀c');
    const window = async (offset: number, maxBytes: number) => {
      const { content, nextOffset } = await dataOf(mcp, 'read_file', { path: 'a.md', offset, maxBytes });
      return [content, nextOffset];
    };
    assert.deepEqual(await window(0, 2), ['ab', 2]);
    assert.deepEqual(await window(0, 5), ['ab', 2]);
    assert.deepEqual(await window(0, 6), ['ab😀', 6]);
    assert.deepEqual(await window(2, 4), ['😀', 6]);
    assert.deepEqual(await window(6, 9), ['c', null]);
    await assertHardError(
      mcp,
      'read_file',
      { path: 'a.md', offset: 2, maxBytes: 3 },
      /^maxBytes: .*at least 4/,
    );
    await assertHardError(mcp, 'read_file', { path: 'a.md', offset: 4 }, /^offset: 4 .*begins at 2/);
    await assertHardError(mcp, 'read_file', { path: 'a.md', maxBytes: 0 }, /^maxBytes: .*at least 1/);
    await assertHardError(mcp, 'read_file', { path: 'a.md', offset: -1 }, /^offset: .*at least 0/);
  },
);

test(...claims('mcp.read-file.past-end', 'at the end and past it there is nothing more'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'abc');
  for (const encoding of ['utf8', 'base64']) {
    for (const offset of [3, 4, 1_000_000_000]) {
      const { content, size, nextOffset } = await dataOf(mcp, 'read_file', {
        path: 'a.md',
        offset,
        encoding,
      });
      assert.deepEqual([content, size, nextOffset], ['', 3, null]);
    }
  }
});

test(...claims('mcp.read-file.not-text', 'bytes that are not text are not converted to text'), async () => {
  const { workspace, mcp } = await openWorkspace();
  for (const bytes of [
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from([0x61, 0x80]),
    Buffer.from([0x61, 0xe2, 0x82]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xc0, 0xaf]),
  ]) {
    await workspace.put('a.bin', bytes, { ifNoneMatch: '*' });
    await assertHardError(mcp, 'read_file', { path: 'a.bin' }, /not UTF-8.*base64/);
    await assertHardError(mcp, 'read_file', { path: 'a.bin', offset: 0, maxBytes: 100 }, /not UTF-8.*base64/);
    const { content, version } = await dataOf(mcp, 'read_file', { path: 'a.bin', encoding: 'base64' });
    assert.equal(content, bytes.toString('base64'));
    await workspace.remove('a.bin', Number(version));
  }
});

test(...claims('mcp.read-file.bom', 'a byte order mark is read, and written back'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const bytes = Buffer.from('\ufeffx');
  await workspace.put('a.md', bytes);
  const { content } = await dataOf(mcp, 'read_file', { path: 'a.md' });
  assert.equal(content, '\ufeffx');
  await dataOf(mcp, 'write_file', { path: 'b.md', content });
  assert.deepEqual((await workspace.get('b.md')).bytes, bytes);
});
