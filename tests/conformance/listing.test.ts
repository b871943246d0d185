import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, listedPaths } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const empty = { entries: [], icons: {}, orders: {}, privatePaths: [], nextCursor: null };

const tree = await emptyWorkspace();
for (const path of ['docs/a.md', 'docs/sub/b.md', 'docs2/c.md', 'docs.md', 'z.txt', 'docs/.keep']) {
  await tree.put(path, 'x');
}

test(...claims(['files.list.empty', 'files.list.shape'], 'an empty workspace lists nothing'), async () => {
  assertJson(await (await emptyWorkspace()).query('list'), 200, empty);
});

test(
  ...claims(['files.list.entry', 'files.list.shape'], 'an entry says path, size, type and version'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'grüße');
    await workspace.put('a.md', 'grüße!', { ifMatch: 1 });
    assertJson(await workspace.query('list'), 200, {
      ...empty,
      entries: [{ path: 'a.md', size: 8, contentType: 'text/markdown', version: 2 }],
    });
  },
);

test(
  ...claims(['files.list.whole', 'files.list.keep'], 'without a prefix everything is listed'),
  async () => {
    assert.deepEqual(await listedPaths(tree), [
      'docs.md',
      'docs/.keep',
      'docs/a.md',
      'docs/sub/b.md',
      'docs2/c.md',
      'z.txt',
    ]);
    assert.deepEqual(await listedPaths(tree, ''), await listedPaths(tree));
  },
);

test(...claims('files.list.order', 'the order is by code point'), async () => {
  const workspace = await emptyWorkspace();
  const paths = [
    'a b',
    'a',
    'Z',
    'é',
    'z',
    '\u{1F600}',
    '\uFF5E',
    'a-b',
    'a/b',
    'a.b',
    '10',
    '9',
    '한',
  ].filter((path) => path !== 'a');
  for (const path of paths) assertStatus(await workspace.put(path, 'x'), 201);
  const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  assert.deepEqual(await listedPaths(workspace), [...paths].sort(byCodePoint));
});

for (const prefix of ['docs', 'docs/', '/docs', './docs//']) {
  test(
    ...claims(
      ['files.list.prefix', 'files.list.prefix-slash'],
      `the folder ${prefix} does not list its neighbours`,
    ),
    async () => {
      assert.deepEqual(await listedPaths(tree, prefix), ['docs/.keep', 'docs/a.md', 'docs/sub/b.md']);
    },
  );
}

test(...claims('files.list.prefix-unknown', 'an unknown folder is an empty list'), async () => {
  assertJson(await tree.query('list', { prefix: 'nowhere' }), 200, empty);
  assertJson(await tree.query('list', { prefix: 'doc' }), 200, empty);
  assertJson(await tree.query('list', { prefix: 'DOCS' }), 200, empty);
});

test(...claims('files.list.prefix-file', "a file's own path lists that file"), async () => {
  assert.deepEqual(await listedPaths(tree, 'docs.md'), ['docs.md']);
  assert.deepEqual(await listedPaths(tree, 'docs/sub/b.md'), ['docs/sub/b.md']);
});

for (const prefix of ['..', 'docs/../docs', 'docs\\sub', 'do\0cs']) {
  test(
    ...claims(
      ['files.list.prefix-invalid', 'paths.in-bodies'],
      `a prefix of ${JSON.stringify(prefix)} is rejected`,
    ),
    async () => {
      assertRejection(await tree.query('list', { prefix }), 400);
    },
  );
}

test(...claims('paths.in-bodies', 'a decomposed prefix means the composed folder'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('é/a.md', 'x');
  assert.deepEqual(await listedPaths(workspace, 'e\u0301'), ['é/a.md']);
});

test(...claims('files.list.prefix-nodes', 'icons and orders are those at or under the prefix'), async () => {
  const workspace = await emptyWorkspace();
  for (const path of ['docs/a.md', 'docs2/b.md']) await workspace.put(path, 'x');
  for (const path of ['docs', 'docs/a.md', 'docs2', 'docs2/b.md']) {
    assertStatus(await workspace.send('PUT', '/node-icon', { json: { path, icon: '🦉' } }), 200);
  }
  const listed = jsonOf(await workspace.query('list', { prefix: 'docs' }));
  assert.deepEqual(listed.icons, { docs: '🦉', 'docs/a.md': '🦉' });
  const whole = jsonOf(await workspace.query('list'));
  assert.deepEqual(whole.icons, { docs: '🦉', 'docs/a.md': '🦉', docs2: '🦉', 'docs2/b.md': '🦉' });
});

test(...claims('files.list.no-paging', 'limit and cursor change nothing'), async () => {
  const whole = jsonOf(await tree.query('list'));
  assertJson(await tree.query('list', { limit: 1, cursor: 'docs' }), 200, whole);
  assertJson(await tree.query('list', { limit: 'x' }), 200, whole);
});

test(...claims('files.list.no-paging', 'a large workspace is listed whole'), async () => {
  const workspace = await emptyWorkspace();
  const paths = Array.from({ length: 1200 }, (_, n) => `many/${String(n).padStart(4, '0')}.txt`);
  const responses = await Promise.all(paths.map((path) => workspace.put(path, path)));
  assert.ok(responses.every(({ status }) => status === 201));
  assert.deepEqual(await listedPaths(workspace), paths);
});

test(...claims('files.list.current', 'a listing shows the current state'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  await workspace.put('b.md', 'x');
  await workspace.put('a.md', 'longer', { ifMatch: 1 });
  await workspace.remove('b.md', 1);
  assert.deepEqual(jsonOf(await workspace.query('list')).entries, [
    { path: 'a.md', size: 6, contentType: 'text/markdown', version: 2 },
  ]);
});
