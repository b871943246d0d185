import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { dataOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const grace = await signUp(server, 'Grace');

test(...claims('mcp.list-comments.scope', 'threads are listed by folder, and by name or label'), async () => {
  const codex = await createKey(ada, { name: 'Codex' });
  const workspace = await createWorkspace(ada, codex.client);
  await joinWorkspace(workspace, ada, grace);
  const mcp = openMcp(server, codex, { workspaceId: workspace.id, toolSet: 'extended' });
  const graces = openMcp(server, await createKey(grace), { workspaceId: workspace.id });
  for (const path of ['drafts/a.md', 'drafts/deep/b.md', 'drafts.md', 'other/c.md']) {
    await workspace.put(path, 'We ship it.');
    await dataOf(mcp, 'add_comment', { path, quote: 'ship', body: 'When?' });
  }
  await dataOf(graces, 'add_comment', { path: 'drafts/a.md', quote: 'We', body: 'Who?' });
  const total = async (given: Readonly<Record<string, unknown>>) =>
    (await dataOf(mcp, 'list_comments', given)).total;
  assert.equal(await total({ path: 'drafts' }), 3);
  assert.equal(await total({ path: 'drafts/a.md' }), 2);
  assert.equal(await total({ path: 'drafts', status: 'resolved' }), 0);
  assert.equal(await total({ author: 'grace' }), 1);
  assert.equal(await total({ author: grace.id }), 1);
  assert.equal(await total({ author: 'Codex', path: 'drafts' }), 2);
  assert.equal(await total({ author: 'Ada' }), 4);
  const text = async (given: Readonly<Record<string, unknown>>) =>
    (await mcp.call('list_comments', { brief: true, ...given })).text;
  const all = 'list_comments without arguments shows all.';
  assert.equal(await text({ author: 'Nobody' }), `0 threads. No thread matches. ${all}`);
  assert.match(
    await text({ path: 'draft' }),
    /^0 threads\. No draft\. Did you mean .*drafts\/.*\? No thread matches\./,
  );
  assert.match(
    await text({ path: 'xyz/none.md' }),
    /^0 threads\. There is no xyz\/none\.md\. No thread matches\./,
  );
});
