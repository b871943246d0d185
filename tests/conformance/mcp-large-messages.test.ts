import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
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

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  return { workspace, mcp: openMcp(server, key, { workspaceId: workspace.id }) };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test(
  ...claims(
    ['mcp.write-file.encoding'],
    'megabytes are written byte for byte, as base64 with or without line breaks',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const bytes = randomBytes(5_000_001);
    const plain = bytes.toString('base64');
    const broken = plain.replace(/.{76}/g, '$&\r\n');
    for (const [path, content] of [
      ['plain.bin', plain],
      ['broken.bin', broken],
    ] as const) {
      const written = await dataOf(mcp, 'write_file', { path, content, encoding: 'base64' });
      assert.deepEqual(written, { ok: true, version: 1 });
      assert.equal(sha256((await workspace.get(path)).bytes), sha256(bytes));
    }
  },
);

test(
  ...claims(
    ['mcp.write-file.encoding'],
    'megabytes of text keep every character, wherever the transport splits them',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    // An odd number of units before each pair, so that some pair crosses any power of two.
    const content = '\ufeffé😀\u0001"\\'.repeat(400_003);
    const written = await dataOf(mcp, 'write_file', { path: 'long.txt', content });
    assert.deepEqual(written, { ok: true, version: 1 });
    assert.equal(sha256((await workspace.get('long.txt')).bytes), sha256(Buffer.from(content)));
  },
);

test(
  ...claims(
    ['mcp.write-file.not-base64'],
    'megabytes of invalid base64 or half a character are rejected and not written',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const long = 'A'.repeat(2_000_000);
    await assertHardError(
      mcp,
      'write_file',
      { path: 'a.bin', content: `${long}!`, encoding: 'base64' },
      /base64/,
    );
    await assertHardError(mcp, 'write_file', { path: 'a.txt', content: `${long}\ud800` }, /half a character/);
    assert.equal((await workspace.get('a.bin')).status, 404);
    assert.equal((await workspace.get('a.txt')).status, 404);
  },
);

test(
  ...claims(['mcp.write-file.conflict'], 'a large write that comes too late is kept whole as a copy'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('plan.txt', 'theirs');
    const content = 'mine '.repeat(300_000);
    const lost = await dataOf(mcp, 'write_file', { path: 'plan.txt', content });
    assert.equal(lost.ok, false);
    assert.equal(String((await workspace.get(String(lost.conflictCopyPath))).bytes), content);
  },
);

test(
  ...claims(
    ['mcp.transport.malformed'],
    'a large body that is not JSON is a parse error, and the next message succeeds',
  ),
  async () => {
    const { mcp } = await openWorkspace();
    const response = await mcp.request(`{"jsonrpc": "2.0", ${'x'.repeat(2_000_000)}`);
    assert.equal(response.status, 400);
    assert.match(response.bytes.toString('utf8'), /-32700/);
    assert.equal((await mcp.call('list_files')).isError, false);
  },
);
