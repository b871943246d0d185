import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { keySnippets } from '../../src/keys/key-snippets.ts';

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
    assert.ok(text.includes('https://files.example.org/api/'), program);
    assert.ok(text.includes(key), program);
    if (text.startsWith('{')) JSON.parse(text);
  }
});

test('the desktop configuration is the one of docs/mcp.md', async () => {
  const page = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, block]) => block ?? '');
  const documented = JSON.parse(blocks.find((block) => block.includes('mcp-remote')) ?? 'null');
  documented.mcpServers.stoa.env.STOA_KEY = key;
  assert.deepEqual(JSON.parse(textOf('http://127.0.0.1:4700', 'Claude Desktop')), documented);
});

test('plain http to another machine has to be allowed to the desktop program', () => {
  assert.ok(textOf('http://10.0.0.9:4700', 'Claude Desktop').includes('--allow-http'));
  for (const origin of ['http://localhost:4700', 'http://[::1]:4700', 'https://files.example.org']) {
    assert.ok(!textOf(origin, 'Claude Desktop').includes('--allow-http'), origin);
  }
});
