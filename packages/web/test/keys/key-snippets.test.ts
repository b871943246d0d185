import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { installCommand, keySnippets } from '../../src/keys/key-snippets.ts';

const key = 'stoa_abc';

function textOf(origin: string, program: string): string {
  return keySnippets(origin, key).find((snippet) => snippet.program === program)?.text ?? '';
}

test('each configuration holds the address and the key, ready to use', () => {
  const snippets = keySnippets('https://files.example.org', key);
  assert.deepEqual(
    snippets.map(({ program }) => program),
    ['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop', 'curl'],
  );
  for (const { program, text } of snippets) {
    assert.ok(/https:\/\/files\.example\.org\/(api|download)\//.test(text), program);
    assert.ok(text.includes(key), program);
    if (text.startsWith('{')) JSON.parse(text);
  }
});

test('the desktop configuration is the one of docs/mcp.md', async () => {
  const page = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, block]) => block ?? '');
  const documented = JSON.parse(blocks.find((block) => block.includes('stoa-cli.tgz')) ?? 'null');
  documented.mcpServers.stoa.env.STOA_KEY = key;
  assert.deepEqual(JSON.parse(textOf('http://127.0.0.1:4700', 'Claude Desktop')), documented);
});

test('plain http to another machine has to be allowed to the desktop program', () => {
  assert.ok(textOf('http://10.0.0.9:4700', 'Claude Desktop').includes('STOA_ALLOW_HTTP'));
  for (const origin of ['http://localhost:4700', 'http://[::1]:4700', 'https://files.example.org']) {
    assert.ok(!textOf(origin, 'Claude Desktop').includes('STOA_ALLOW_HTTP'), origin);
  }
});

test('the command line is installed from the server that the page is of', () => {
  const command = installCommand('https://files.example.org');
  assert.equal(command, 'npm install -g https://files.example.org/download/stoa-cli.tgz');
});
