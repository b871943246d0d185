import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);

async function prepared(): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada, robot.client);
  for (const path of ['docs/a.md', 'docs/b.md', 'c.md']) await workspace.put(path, 'x');
  return workspace;
}

const setIcon = (workspace: WorkspaceClient, json: unknown) => workspace.send('PUT', '/node-icon', { json });
const setOrder = (workspace: WorkspaceClient, json: unknown) =>
  workspace.send('PUT', '/node-order', { json });

test(
  ...claims(['nodes.icon', 'nodes.icon-answer', 'nodes.icon-clear'], 'files and folders have icons'),
  async () => {
    const workspace = await prepared();
    assertJson(await setIcon(workspace, { path: 'docs', icon: '📚' }), 200, {
      ok: true,
      path: 'docs',
      icon: '📚',
    });
    assertStatus(await setIcon(workspace, { path: 'docs/a.md', icon: 'star' }), 200);
    assert.deepEqual(jsonOf(await workspace.query('list')).icons, { docs: '📚', 'docs/a.md': 'star' });
    assertStatus(await setIcon(workspace, { path: 'docs', icon: '' }), 200);
    assert.deepEqual(jsonOf(await workspace.query('list')).icons, { 'docs/a.md': 'star' });
  },
);

test(...claims(['nodes.icon-limit', 'nodes.malformed'], 'an icon is short'), async () => {
  const workspace = await prepared();
  assertStatus(await setIcon(workspace, { path: 'docs', icon: 'x'.repeat(64) }), 200);
  for (const json of [
    { path: 'docs', icon: 'x'.repeat(65) },
    { icon: 'x' },
    { path: 7, icon: 'x' },
    { path: '../a', icon: 'x' },
    {},
  ]) {
    assertRejection(await setIcon(workspace, json), 400);
  }
});

test(...claims('nodes.icon-absent', 'a missing path has no icon'), async () => {
  const workspace = await prepared();
  assertRejection(await setIcon(workspace, { path: 'none', icon: 'x' }), 404);
  assertRejection(await setIcon(workspace, { path: 'doc', icon: 'x' }), 404);
});

test(
  ...claims(
    ['nodes.order', 'nodes.order-answer', 'nodes.order-absent'],
    'siblings keep the order they are given',
  ),
  async () => {
    const workspace = await prepared();
    const response = await setOrder(workspace, { paths: ['docs/b.md', 'none.md', 'docs/a.md'] });
    assertStatus(response, 200);
    const { ok, orders } = jsonOf(response);
    assert.equal(ok, true);
    const stored = recordOf(jsonOf(await workspace.query('list')).orders);
    assert.deepEqual(Object.keys(stored).sort(), ['docs/a.md', 'docs/b.md']);
    assert.ok(Number(stored['docs/b.md']) < Number(stored['docs/a.md']));
    assert.equal(recordOf(orders)['docs/a.md'], stored['docs/a.md']);
    assert.ok(!('none.md' in recordOf(orders)));
  },
);

test(...claims(['nodes.order-limit', 'nodes.malformed'], 'an order names at most 1000 paths'), async () => {
  const workspace = await prepared();
  const paths = Array.from({ length: 1000 }, (_, n) => `n${n}.md`);
  assertStatus(await setOrder(workspace, { paths }), 200);
  for (const json of [
    { paths: [...paths, 'one-more.md'] },
    {},
    { paths: 'a.md' },
    { paths: [7] },
    { paths: ['../a'] },
  ]) {
    assertRejection(await setOrder(workspace, json), 400);
  }
});
