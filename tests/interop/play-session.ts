import assert from 'node:assert/strict';
import { publishTools } from '@stoa/contract';
import { mcpPathOf } from '../support/mcp-client.ts';
import { integerAt, type JsonRecord, recordOf, recordsAt, textAt } from '../support/response.ts';

/** The functions that every client library has, under different names. */
export interface ConnectedClient {
  readonly instructions: string | undefined;
  readonly serverName: string | undefined;
  readonly listTools: () => Promise<unknown>;
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
}

/** The key of the client: account-wide, with a workspace in every call, or scoped to one workspace. */
export type Reach =
  | { readonly kind: 'account-wide'; readonly workspaceId: string }
  | { readonly kind: 'scoped' };

/** The tool set, which has an address of its own. */
export type ToolSet = 'standard' | 'extended' | 'files';

export function addressOf(toolSet: ToolSet): string {
  return mcpPathOf(toolSet === 'standard' ? undefined : toolSet);
}

/**
 * A typical agent session: reads the instructions, lists, writes, reads, loses a race, merges, and gets an error.
 * @param folder the folder of this client, so that several clients may share a workspace.
 */
export async function playSession(
  client: ConnectedClient,
  reach: Reach,
  folder: string,
  toolSet: ToolSet = 'standard',
): Promise<void> {
  const where = reach.kind === 'scoped' ? {} : { workspaceId: reach.workspaceId };
  const ask = async (name: string, given: Readonly<Record<string, unknown>>) =>
    recordOf(await client.callTool({ name, arguments: { ...where, ...given } }));
  const succeed = async (name: string, given: Readonly<Record<string, unknown>>) => {
    const result = await ask(name, given);
    assert.notEqual(result.isError, true, JSON.stringify(result));
    return recordOf(result.structuredContent);
  };
  assert.equal(client.serverName, 'service');
  assert.match(client.instructions ?? '', /AGENTS\.md/);
  assertToolSet(recordsAt(recordOf(await client.listTools()), 'tools'), reach, toolSet);

  const path = `${folder}/plan – Grüße 😀.md`;
  assert.deepEqual(await succeed('write_file', { path, content: 'first\n' }), { ok: true, version: 1 });
  const read = await succeed('read_file', { path });
  assert.equal(textAt(read, 'content'), 'first\n');
  assert.equal(integerAt(read, 'version'), 1);
  await succeed('write_file', { path, content: 'theirs\n', baseVersion: 1 });
  const lost = await succeed('write_file', { path, content: 'mine\n', baseVersion: 1 });
  assert.equal(lost.ok, false);
  assert.equal(lost.currentVersion, 2);
  const copy = textAt(lost, 'conflictCopyPath');
  assert.equal((await succeed('read_file', { path: copy })).content, 'mine\n');
  const merged = await succeed('write_file', { path, content: 'theirs\nmine\n', baseVersion: 2 });
  assert.deepEqual(merged, { ok: true, version: 3 });
  assert.match(firstText(await ask('delete_file', { path: copy, baseVersion: 1 })), /delete/i);
  assert.match(firstText(await ask('list_files', { prefix: folder })), /plan – Grüße 😀\.md\tv3 /);

  const missing = await ask('read_file', { path: `${folder}/none.md` });
  assert.equal(missing.isError, true);
  assert.match(firstText(missing), /not found/i);
  if (toolSet !== 'standard') await playParts({ ask, succeed }, `${folder}/parts`, toolSet);
}

/** Uses the other tool sets: changes parts, searches text, catches up, replies, and resolves a race. */
async function playParts(
  {
    ask,
    succeed,
  }: Readonly<
    Record<'ask' | 'succeed', (name: string, given: Readonly<Record<string, unknown>>) => Promise<JsonRecord>>
  >,
  folder: string,
  toolSet: Exclude<ToolSet, 'standard'>,
): Promise<void> {
  const path = `${folder}/notes.md`;
  const read = async (name: string, given: Readonly<Record<string, unknown>>) => {
    const result = await ask(name, given);
    assert.notEqual(result.isError, true, JSON.stringify(result));
    return firstText(result);
  };
  const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
  await succeed('write_file', { path, content: base });
  const edits = [{ oldText: 'two', newText: 'zwei' }];
  const edited = await succeed('edit_file', { path, edits, baseVersion: 1 });
  assert.deepEqual([edited.ok, edited.version, edited.lines], [true, 2, '2-2']);
  const rejected = await succeed('edit_file', { path, edits: [{ oldText: 'none', newText: '' }] });
  assert.deepEqual([rejected.ok, rejected.error], [false, 'text_not_found']);
  assert.equal((await succeed('append_file', { path, content: 'eight' })).version, 3);
  const merged = await succeed('write_file', {
    path,
    content: base.replace('four', 'vier'),
    baseVersion: 1,
    merge: true,
  });
  assert.deepEqual([merged.ok, merged.merged, merged.version], [true, true, 4]);
  const blamed = await read('read_lines', { path, from: 2, count: 3, blame: true });
  assert.match(blamed, /v4, lines 2-4 of 8/);
  assert.match(blamed, /zwei[\s\S]*vier/);
  const found = await read('search_content', { query: 'ZWEI', path: folder });
  assert.equal(found, `1 line in 1 of 1 file.\n\n${path} v4\n2: zwei`);
  assert.match(await read('catch_up', { since: '24h', path: folder }), /since/);
  const { thread } = await succeed('add_comment', { path, body: 'Why German?', quote: 'zwei' });
  const responses = [{ threadId: textAt(recordOf(thread), 'id'), body: 'It is shorter.', resolved: true }];
  assert.deepEqual(await succeed('answer_comments', { answers: responses }), {
    ok: true,
    answered: 1,
    resolved: 1,
  });
  if (toolSet !== 'extended') return;
  const lost = await succeed('write_file', {
    path,
    content: base.replace('six', 'sechs'),
    baseVersion: 1,
  });
  const copy = textAt(lost, 'conflictCopyPath');
  const resolved = await succeed('resolve_conflict', { path: copy, keep: 'merge' });
  assert.equal(resolved.ok === true ? resolved.merged : resolved.error, true, JSON.stringify(resolved));
  assert.match(await read('search_content', { query: 'sechs', path: folder }), new RegExp(`${path} v5`));
}

function assertToolSet(tools: readonly JsonRecord[], reach: Reach, toolSet: ToolSet): void {
  const names = tools.map((tool) => textAt(tool, 'name'));
  const scoped = reach.kind === 'scoped';
  assert.deepEqual(
    names,
    publishTools(reach.kind, toolSet).map(({ name }) => name),
  );
  if (toolSet === 'standard') assert.equal(names.length, scoped ? 20 : 22);
  if (toolSet === 'files') return;
  assert.equal(names.includes('list_workspaces'), !scoped);
  assert.equal(names.includes('create_workspace'), !scoped);
  const naming = tools.filter(({ inputSchema }) => {
    const { properties } = recordOf(inputSchema);
    return properties !== undefined && 'workspaceId' in recordOf(properties);
  });
  assert.equal(naming.length, scoped ? 0 : names.length - 2);
}

function firstText(result: JsonRecord): string {
  const [first] = recordsAt(result, 'content');
  return textAt(recordOf(first), 'text');
}
