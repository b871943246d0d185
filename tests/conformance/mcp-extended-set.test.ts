import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { type McpEra, mcpPath, openMcp, type ToolSet } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const wide = await createKey(ada);
const { id: workspaceId } = await createWorkspace(ada);
const scoped = await createKey(ada, { workspaceId });
const eras: readonly McpEra[] = ['legacy', 'modern'];
const added = [
  'edit_file',
  'append_file',
  'read_lines',
  'search_content',
  'catch_up',
  'answer_comments',
  'resolve_conflict',
];
const beyondFiles =
  /workspace$|workspace_image|get_usage|_icon$|set_private|_share|list_shares|reply_comment|resolve_comment|resolve_conflict/;
const lean = (name: string) => name === 'create_workspace' || !beyondFiles.test(name);

async function namesIn(key: { readonly secret: string }, era: McpEra, toolSet?: ToolSet) {
  const tools = await openMcp(server, key, { era, ...(toolSet === undefined ? {} : { toolSet }) }).list();
  return tools.map((tool) => textAt(tool, 'name'));
}

test(...claims('mcp.sets.extended', 'the address of a set lists its tools and describes them'), async () => {
  for (const era of eras) {
    for (const key of [wide, scoped]) {
      const standard = await namesIn(key, era);
      const extended = await namesIn(key, era, 'extended');
      assert.deepEqual(extended, [...standard, ...added]);
      assert.deepEqual(await namesIn(key, era, 'files'), extended.filter(lean));
    }
    for (const toolSet of ['extended', 'files'] as const) {
      const { instructions } = await openMcp(server, wide, { era, toolSet }).greet();
      assert.match(String(instructions), /edit_file/);
      assert.ok(String(instructions).length <= 2048);
    }
  }
});

test(...claims('mcp.sets.extended', 'the standard set can be named'), async () => {
  const caller = server.as({ 'x-api-key': wide.secret });
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const [named, plain] = [
    await caller.send('POST', `${mcpPath}?toolset=standard`, { json }),
    await caller.send('POST', mcpPath, { json }),
  ];
  assert.equal(named.status, 200);
  assert.deepEqual(named.bytes, plain.bytes);
});

test(...claims('mcp.sets.unknown', 'a misspelt set name is rejected'), async () => {
  const caller = server.as({ 'x-api-key': wide.secret });
  for (const query of ['toolset=extend', 'toolset=', 'toolset=Extended', 'toolset=extended&toolset=files']) {
    const response = await caller.send('POST', `${mcpPath}?${query}`, { json: { jsonrpc: '2.0' } });
    assertRejection(response, 400, { says: /toolset: must be extended or files/ });
  }
  const unknown = await server.send('POST', `${mcpPath}?toolset=none`, { json: { jsonrpc: '2.0' } });
  assertRejection(unknown, 401);
});

test(...claims('mcp.sets.standard-only', 'the standard address says where another tool is'), async () => {
  for (const era of eras) {
    const { error } = await openMcp(server, scoped, { era }).ask('tools/call', { name: 'edit_file' });
    assert.deepEqual(recordOf(error), {
      code: -32602,
      message: 'edit_file is in the extended tool set: connect to /api/mcp?toolset=extended.',
    });
  }
});
