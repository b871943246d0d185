import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from '../support/invites.ts';
import { type McpEra, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const wideKey = await createKey(ada);
const workspace = await createWorkspace(ada);
const scopedKey = await createKey(ada, { workspaceId: workspace.id });
const eras: readonly McpEra[] = ['legacy', 'modern'];

const accountTools = ['list_workspaces', 'create_workspace'];
const workspaceTools = [
  'set_workspace set_workspace_image_icon get_usage',
  'list_files search_files read_file write_file move_file delete_file set_file_icon set_private',
  'read_file_version restore_file create_share list_shares revoke_share',
  'list_comments add_comment reply_comment resolve_comment',
].flatMap((line) => line.split(' '));

async function listed(key: { readonly secret: string }, era: McpEra) {
  const tools = await openMcp(server, key, { era }).list();
  return tools.map((tool) => {
    const schema = recordOf(tool.inputSchema);
    return {
      name: textAt(tool, 'name'),
      schema,
      annotations: recordOf(tool.annotations),
      properties: 'properties' in schema ? recordOf(schema.properties) : {},
      required: Array.isArray(schema.required) ? schema.required : [],
    };
  });
}

test(
  ...claims(
    ['mcp.sets.account-wide', 'mcp.sets.workspace-id'],
    'an account-wide key lists 22 tools, and 20 of them ask for the workspace',
  ),
  async () => {
    assert.equal(workspaceTools.length, 20);
    for (const era of eras) {
      const tools = await listed(wideKey, era);
      assert.deepEqual(tools.map(({ name }) => name).sort(), [...accountTools, ...workspaceTools].sort());
      for (const { name, properties, required } of tools) {
        const asks = !accountTools.includes(name);
        assert.equal(required.includes('workspaceId'), asks, name);
        assert.equal('workspaceId' in properties, asks, name);
        if (asks) assert.equal(recordOf(properties.workspaceId).type, 'string', name);
      }
    }
  },
);

test(
  ...claims(
    ['mcp.sets.scoped', 'mcp.sets.scoped-parameters'],
    'a scoped key lists the other 20, and none asks for a workspace',
  ),
  async () => {
    for (const era of eras) {
      const tools = await listed(scopedKey, era);
      assert.deepEqual(tools.map(({ name }) => name).sort(), workspaceTools.toSorted());
      for (const { name, schema } of tools) assert.ok(!JSON.stringify(schema).includes('workspaceId'), name);
    }
  },
);

test(...claims('mcp.sets.annotations', 'a client can tell which tools change something'), async () => {
  const reading = /^(list_|search_|read_|get_)/;
  for (const { name, annotations } of await listed(wideKey, 'legacy')) {
    assert.equal(annotations.readOnlyHint, reading.test(name), name);
    assert.equal(typeof annotations.destructiveHint, 'boolean', name);
    assert.equal(typeof annotations.idempotentHint, 'boolean', name);
    assert.equal(annotations.openWorldHint, false, name);
  }
});

test(...claims('mcp.sets.scoped-acts', 'a scoped key acts in its workspace without naming it'), async () => {
  for (const era of eras) {
    const mcp = openMcp(server, scopedKey, { era });
    const path = `${era}.md`;
    assert.deepEqual(await dataOf(mcp, 'write_file', { path, content: era }), { ok: true, version: 1 });
    assert.equal((await workspace.get(path)).bytes.toString(), era);
    const named = openMcp(server, scopedKey, { era, workspaceId: workspace.id });
    assert.match(await textOf(named, 'list_files'), new RegExp(`^${path}\t`, 'm'));
  }
});

test(
  ...claims(
    'mcp.sets.scoped-elsewhere',
    'a scoped key that names another workspace gets an error and changes nothing',
  ),
  async () => {
    const other = await createWorkspace(ada);
    const mcp = openMcp(server, scopedKey, { workspaceId: other.id });
    for (const [tool, given] of [
      ['write_file', { path: 'elsewhere.md', content: 'x' }],
      ['list_files', {}],
      ['get_usage', {}],
    ] as const) {
      await assertHardError(mcp, tool, given, /Key is not scoped to this workspace/);
    }
    const unknown = openMcp(server, scopedKey, { workspaceId: 'none' });
    await assertHardError(unknown, 'list_files', {}, /Workspace not found/);
    for (const each of [workspace, other]) assert.equal((await each.get('elsewhere.md')).status, 404);
  },
);

test(
  ...claims(['mcp.sets.scoped-calls', 'mcp.sets.unknown-tool'], 'a tool that is not listed cannot be called'),
  async () => {
    for (const era of eras) {
      const call = (key: { readonly secret: string }, name: string) =>
        openMcp(server, key, { era }).ask('tools/call', { name, arguments: { name: 'New' } });
      for (const message of [
        await call(scopedKey, 'create_workspace'),
        await call(scopedKey, 'list_workspaces'),
        await call(scopedKey, 'grep'),
        await call(wideKey, 'grep'),
        await call(wideKey, 'toString'),
      ]) {
        const error = recordOf(message.error);
        assert.equal(error.code, -32602, JSON.stringify(message));
        assert.ok(textAt(error, 'message').length > 10);
        assert.ok(!('result' in message));
      }
    }
    const { workspaces } = await dataOf(openMcp(server, wideKey), 'list_workspaces');
    assert.ok(Array.isArray(workspaces) && workspaces.every(({ name }) => name !== 'New'));
  },
);

test(...claims('mcp.sets.membership', 'the next call of a removed member is rejected'), async () => {
  const ben = await signUp(server, 'Ben');
  await join(ada, ben, workspace.id);
  const wide = openMcp(server, await createKey(ben), { workspaceId: workspace.id });
  await dataOf(wide, 'get_usage');
  const path = `/api/workspaces/${workspace.id}/members/${ben.id}`;
  assert.ok((await ada.session.send('DELETE', path)).status < 300);
  await assertHardError(wide, 'get_usage', {}, /^Not a workspace member/);
  await assertHardError(wide, 'write_file', { path: 'ben.md', content: 'x' }, /^Not a workspace member/);
  const { workspaces } = await dataOf(wide, 'list_workspaces', { workspaceId: null });
  assert.deepEqual(workspaces, []);
});

test(...claims('mcp.sets.unknown-workspace', 'a call must name an existing workspace'), async () => {
  const eve = await signUp(server, 'Eve');
  const evesWorkspace = await createWorkspace(eve);
  const mcp = openMcp(server, wideKey);
  for (const tool of workspaceTools) {
    await assertHardError(mcp, tool, {}, /^workspaceId is missing: .*list_workspaces/);
    await assertHardError(mcp, tool, { workspaceId: '' }, /^workspaceId: /);
    await assertHardError(mcp, tool, { workspaceId: 7 }, /^workspaceId: /);
    await assertHardError(mcp, tool, { workspaceId: 'none' }, /^Workspace not found/);
    await assertHardError(mcp, tool, { workspaceId: evesWorkspace.id }, /^Not a workspace member/);
  }
});
