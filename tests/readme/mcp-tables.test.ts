import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as limits from '@stoa/contract';
import { type PublishedTool, publishTools } from '@stoa/contract';
import { openMcp, type ToolResult } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { tableBelow } from './markdown-table.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/interface/mcp.md'), 'utf8');
const toolRows = tableBelow(page, '## Tools');
const extendedRows = tableBelow(page, '## Tools of the extended set');
const { client } = await useOwnService();

test('the table names every tool and every parameter, and no others', () => {
  const accountTools = publishTools('account-wide').filter(
    ({ inputSchema }) => !('workspaceId' in (inputSchema.properties ?? {})),
  );
  const published = [...accountTools, ...publishTools('scoped')].map(described);
  assert.deepEqual(
    toolRows.map(([name = '', parameters]) => `${name.replaceAll('`', '')}: ${parameters}`),
    published,
  );
});

test('the table of the extended set names its additional tools', () => {
  const standard = new Set(publishTools('scoped').map(({ name }) => name));
  const added = publishTools('scoped', 'extended').filter(({ name }) => !standard.has(name));
  assert.deepEqual(
    extendedRows.map(([name = '', parameters]) => `${name.replaceAll('`', '')}: ${parameters}`),
    added.map(described),
  );
});

test('the table lists the actual result of each tool', async () => {
  const responded = new Map<string, string>();
  for (const [tool, result] of await callEveryTool()) {
    assert.equal(result.isError, false, `${tool}: ${result.text}`);
    responded.set(tool, result.hasData ? `{ ${Object.keys(result.data).join(', ')} }` : 'text');
  }
  for (const [name = '', , response = ''] of [...toolRows, ...extendedRows]) {
    const [, fields] = /^`([^`]*)`/.exec(response) ?? [];
    const said = fields ?? /^text\b/.exec(response)?.[0];
    assert.equal(said, responded.get(name.replaceAll('`', '')), `docs/interface/mcp.md: ${name}`);
  }
});

test('the table has the current limits', () => {
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const configured: Readonly<Record<string, string>> = {
    '`read_file`, `read_file_version`: a call': mib(limits.readWindowMaxBytes),
    '`list_files`: a call': `${limits.listPageMaxEntries} files`,
    // Follows from the largest file. The transcript has a rejected message beyond it.
    'one message': 'the largest file in base64, and 1 MiB',
    // The interop tests send messages at and beyond them.
    'one message beyond 512 KiB': '100 levels deep, 50,000 values',
  };
  const said = new Map(tableBelow(page, '## Limits').map(([what = '', value = '']) => [what, value]));
  assert.deepEqual([...said.keys()], Object.keys(configured));
  for (const [what, value] of Object.entries(configured)) {
    assert.ok(said.get(what)?.startsWith(value), `${what}: ${said.get(what)}, but the limit is ${value}`);
  }
});

function described({ name, inputSchema }: PublishedTool): string {
  const { properties = {}, required = [] } = inputSchema;
  const parameters = Object.keys(properties).map((key) => `\`${key}${required.includes(key) ? '' : '?'}\``);
  return `${name}: ${parameters.join(', ') || 'none'}`;
}

/** Calls each tool once with success, in an order that allows it. */
async function callEveryTool(): Promise<readonly (readonly [string, ToolResult])[]> {
  const { secret } = await createKey(await signUp(client));
  const account = openMcp(client, secret);
  const calls: [string, ToolResult][] = [];
  const created = await account.call('create_workspace', { name: 'Notes' });
  calls.push(['create_workspace', created], ['list_workspaces', await account.call('list_workspaces')]);
  const agent = openMcp(client, secret, { workspaceId: textAt(created.data, 'id'), toolSet: 'extended' });
  const call = async (tool: string, given: Readonly<Record<string, unknown>>) => {
    const result = await agent.call(tool, given);
    calls.push([tool, result]);
    return result;
  };
  const path = 'plan.md';
  await call('write_file', { path, content: 'Ship it.' });
  await call('read_file', { path });
  await call('read_file_version', { path, version: 1 });
  await call('edit_file', { path, edits: [{ oldText: 'it', newText: 'it all' }] });
  const lost = await agent.call('write_file', { path, content: 'Ship them.', baseVersion: 1 });
  await call('resolve_conflict', { path: textAt(lost.data, 'conflictCopyPath'), keep: 'current' });
  await call('append_file', { path: 'log.md', content: 'Shipped.' });
  await call('read_lines', { path });
  await call('search_content', { query: 'it' });
  await call('catch_up', {});
  await call('list_files', {});
  await call('search_files', { query: 'plan' });
  await call('set_file_icon', { path, icon: '🗓' });
  await call('create_share', { path, kind: 'file' });
  const shares = await call('list_shares', { path });
  await call('revoke_share', { shareId: textAt(first(shares, 'shares'), 'id') });
  const { data } = await call('add_comment', { path, quote: 'Ship', body: 'When?' });
  const threadId = textAt(recordOf(data.thread), 'id');
  await call('list_comments', {});
  await call('reply_comment', { threadId, body: 'In May.' });
  await call('resolve_comment', { threadId, resolved: true });
  await call('answer_comments', { answers: [{ threadId, body: 'Done.' }] });
  await call('restore_file', { path, targetVersion: 1 });
  await call('set_private', { path: 'own' });
  await call('move_file', { from: path, to: 'old.md' });
  await call('delete_file', { path: 'old.md', baseVersion: 1 });
  await call('set_workspace', { color: 'blue' });
  await call('set_workspace_image_icon', { content: onePixel });
  const standard = openMcp(client, secret, { workspaceId: textAt(created.data, 'id') });
  calls.push(['get_usage', await standard.call('get_usage')]);
  return calls;
}

function first({ data }: ToolResult, name: string) {
  return recordOf(recordsAt(data, name)[0]);
}

/** A PNG. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
