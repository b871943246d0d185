import assert from 'node:assert/strict';
import { integerAt, type JsonRecord, recordOf, recordsAt, textAt } from '../support/answer.ts';

/** What every client library offers under one name or another. */
export interface ConnectedClient {
  readonly instructions: string | undefined;
  readonly serverName: string | undefined;
  readonly listTools: () => Promise<unknown>;
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
}

/** Which key the client uses: one that says where with every call, or one that acts in its own workspace alone. */
export type Reach =
  | { readonly kind: 'account-wide'; readonly workspaceId: string }
  | { readonly kind: 'scoped' };

/**
 * An agent's day: reads what it is told, looks around, writes, reads, loses a race, merges, and meets an error.
 * @param folder where it works, so that several may share a workspace.
 */
export async function playSession(client: ConnectedClient, reach: Reach, folder: string): Promise<void> {
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
  assertToolSet(recordsAt(recordOf(await client.listTools()), 'tools'), reach);

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
}

function assertToolSet(tools: readonly JsonRecord[], reach: Reach): void {
  const names = tools.map((tool) => textAt(tool, 'name'));
  const scoped = reach.kind === 'scoped';
  assert.equal(names.length, scoped ? 20 : 22);
  assert.equal(names.includes('list_workspaces'), !scoped);
  assert.equal(names.includes('create_workspace'), !scoped);
  const naming = tools.filter(({ inputSchema }) => {
    const { properties } = recordOf(inputSchema);
    return properties !== undefined && 'workspaceId' in recordOf(properties);
  });
  assert.equal(naming.length, scoped ? 0 : 20);
}

function firstText(result: JsonRecord): string {
  const [first] = recordsAt(result, 'content');
  return textAt(recordOf(first), 'text');
}
