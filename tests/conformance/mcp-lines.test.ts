import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  const append = (path: string, content: string) => dataOf(mcp, 'append_file', { path, content });
  const lines = (path: string, given: Readonly<Record<string, unknown>> = {}) =>
    textOf(mcp, 'read_lines', { path, ...given });
  const contentOf = async (path: string) => (await workspace.get(path)).bytes.toString();
  return { workspace, mcp, append, lines, contentOf };
}

test(
  ...claims(
    ['mcp.append-file', 'mcp.append-file.creates'],
    'text is added on its own line, and to a new file',
  ),
  async () => {
    const { workspace, append, contentOf } = await openWorkspace();
    assert.deepEqual(await append('logs/agent.log', 'one'), { ok: true, version: 1, size: 4 });
    assert.deepEqual(await append('logs/agent.log', 'two\n'), { ok: true, version: 2, size: 8 });
    assert.equal(await contentOf('logs/agent.log'), 'one\ntwo\n');
    await workspace.put('open.md', 'no end', { contentType: 'text/x-own' });
    await append('open.md', 'more');
    assert.equal(await contentOf('open.md'), 'no end\nmore\n');
    assert.equal(headerOf(await workspace.get('open.md'), 'content-type'), 'text/x-own');
    await workspace.put('empty.md', ' ');
    await append('empty.md', '\n');
    assert.equal(await contentOf('empty.md'), ' \n\n');
  },
);

test(...claims('mcp.append-file.line-ends', 'a file keeps its kind of line ends'), async () => {
  const { workspace, append, contentOf } = await openWorkspace();
  await workspace.put('a.md', 'one\r\ntwo');
  await append('a.md', 'three');
  assert.equal(await contentOf('a.md'), 'one\r\ntwo\r\nthree\r\n');
});

test(
  ...claims(['mcp.append-file.limit', 'mcp.append-file.refused'], 'append_file rejects unsuitable files'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('big.log', `${'x'.repeat(99)}\n`.repeat(83_886));
    const text = 'y'.repeat(7);
    await assertHardError(
      mcp,
      'append_file',
      { path: 'big.log', content: `${text}y` },
      /^big\.log would have 8,388,609 bytes; append_file adds to files of up to 8 MiB\. Next: begin a new file\.$/,
    );
    const { size } = await dataOf(mcp, 'append_file', { path: 'big.log', content: text });
    assert.equal(size, 8_388_608);
    await workspace.put('a.bin', Buffer.from([0xff]));
    await workspace.put('folder/a.md', 'x');
    for (const [given, says] of [
      [{ path: 'a.bin', content: 'x' }, /^a\.bin is not text, so append_file cannot add to it/],
      [{ path: 'folder', content: 'x' }, /folder/],
      [{ path: 'a.md', content: '' }, /^content: .*empty/],
      [{ path: 'a.md', content: '\udc00' }, /^content: .*surrogate/],
    ] as const) {
      await assertHardError(mcp, 'append_file', given, says);
    }
    assert.equal((await workspace.get('a.md')).status, 404);
  },
);

test(
  ...claims(['mcp.read-lines', 'mcp.read-lines.from-end'], 'lines are read unchanged, from either end'),
  async () => {
    const { workspace, lines } = await openWorkspace();
    const text = Array.from({ length: 1234 }, (_, i) => `line ${i + 1}${i % 2 === 0 ? '\r' : ''}\n`);
    await workspace.put('big.log', `${text.join('')}last`);
    assert.equal(
      await lines('big.log', { count: 2 }),
      'big.log v1, lines 1-2 of 1235. More: from 3.\nline 1\r\nline 2\n',
    );
    assert.match(await lines('big.log'), /^big\.log v1, lines 1-500 of 1235\. More: from 501\.\n/);
    assert.equal(
      await lines('big.log', { from: 1100, count: 3 }),
      `big.log v1, lines 1100-1102 of 1235. More: from 1103.\n${text.slice(1099, 1102).join('')}`,
    );
    assert.equal(
      await lines('big.log', { from: -2 }),
      `big.log v1, lines 1234-1235 of 1235.\nline 1234\nlast`,
    );
    assert.match(
      await lines('big.log', { from: -9999, count: 1 }),
      /^big\.log v1, line 1 of 1235\. More: from 2\.\n/,
    );
  },
);

test(
  ...claims('mcp.read-lines.range', 'a line past the end gives the last one, and an empty file has no lines'),
  async () => {
    const { workspace, mcp, lines } = await openWorkspace();
    await workspace.put('a.md', 'one\ntwo\n');
    assert.equal(
      await lines('a.md', { from: 9 }),
      'a.md v1, line 2 of 2. There is no line 9: this is the last.\ntwo\n',
    );
    await dataOf(mcp, 'write_file', { path: 'empty.md', content: '' });
    assert.equal(await lines('empty.md'), 'empty.md v1, 0 lines.\n');
    await assertHardError(mcp, 'read_lines', { path: 'a.md', from: 0 }, /^from: must be a line from 1 on/);
    await assertHardError(mcp, 'read_lines', { path: 'a.md', count: 0 }, /^count: /);
  },
);

test(
  ...claims(['mcp.read-lines.size', 'mcp.read-lines.not-text'], 'a result is never longer than clients show'),
  async () => {
    const { workspace, mcp, lines } = await openWorkspace();
    for (const [name, line] of [
      ['ascii', 'x'.repeat(99)],
      ['wide', '語'.repeat(99)],
      ['pairs', '😀'.repeat(99)],
    ] as const) {
      await workspace.put(name, `${line}\n`.repeat(2000));
      let next = 1;
      let whole = '';
      for (let calls = 0; next > 0 && calls < 50; calls += 1) {
        const text = await lines(name, { from: next, count: 5000 });
        assert.ok(text.length <= 40_000 && Buffer.byteLength(text) <= 60_000, `${name}: ${text.length}`);
        whole += text.slice(text.indexOf('\n') + 1);
        next = Number(/More: from (\d+)/.exec(text)?.[1] ?? 0);
      }
      assert.equal(whole, `${line}\n`.repeat(2000));
    }
    const long = `${'é'.repeat(8311)}\r\nnext\n`;
    await workspace.put('long.md', `a\n${long}`);
    const cut = `${'é'.repeat(2000)}… (8311 characters: read_file offset 4002)\n`;
    assert.equal(await lines('long.md'), `long.md v1, lines 1-3 of 3.\na\n${cut}next\n`);
    const { content } = await dataOf(mcp, 'read_file', { path: 'long.md', offset: 4002 });
    assert.equal(content, long.slice(2000));
    await workspace.put('a.bin', Buffer.from([0x61, 0xff, 0x0a]));
    await assertHardError(mcp, 'read_lines', { path: 'a.bin' }, /not UTF-8.*base64/);
  },
);
