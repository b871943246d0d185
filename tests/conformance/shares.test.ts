import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, iso8601, sha256 } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, integerAt, jsonOf, recordOf, recordsAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const home = await createWorkspace(ada);
const asBen = await joinWorkspace(home, ada, ben);
const asKey = home.as((await createKey(ada)).client);

await home.put('docs/plan.md', 'first');
await home.put('docs/plan.md', 'second', { ifMatch: 1 });
await home.put('docs/deep/note.md', 'note');

const patch = (id: string, allowScripts: unknown, as = home) =>
  as.send('PATCH', `/shares/${id}`, { json: { allowScripts } });

test(...claims(['shares.create', 'shares.record'], 'a new link says what it is'), async () => {
  const { record } = await share(home, 'docs/plan.md', { password: 'canary-secret', allowScripts: true });
  const { id, url, memberUrl, createdAt, ...rest } = record;
  assert.match(String(url), /\/s\/[A-Za-z0-9_-]{22,}$/);
  assert.equal(memberUrl, url);
  assert.match(String(createdAt), iso8601);
  assert.ok(!String(url).includes(String(id)), 'the address contains the id, which is not secret');
  assert.deepEqual(rest, {
    path: 'docs/plan.md',
    kind: 'file',
    access: 'public',
    hasPassword: true,
    pinnedVersion: null,
    pinnedContentHash: null,
    allowScripts: true,
    createdBy: ada.id,
    viewCount: 0,
  });
  const listed = await home.query('shares', { path: 'docs/plan.md' });
  assert.ok(!listed.bytes.toString('utf8').includes('canary-secret'));
});

test(...claims('shares.password', 'a new link’s password has at least 8 characters'), async () => {
  const make = (password: string) =>
    home.post('shares', { path: 'docs/plan.md', kind: 'file', access: 'public', password });
  for (const password of ['', 'a', 'seven77', '👍👍👍👍']) assertRejection(await make(password), 400);
  assertStatus(await make('eight888'), 201);
});

test(
  ...claims(
    'shares.list',
    'links of a folder are listed to those who see something in it, and to their maker',
  ),
  async () => {
    await home.put('hers/only.md', 'private soon');
    await share(home, 'hers', { kind: 'folder' });
    const made = await share(asBen, 'hers', { kind: 'folder', access: 'member' });
    const privacy = { path: 'hers/only.md', kind: 'file', private: true };
    assertStatus(await home.send('PUT', '/node-private', { json: privacy }), 200);
    const listed = jsonOf(await asBen.query('shares', { path: 'hers' }));
    assert.deepEqual(recordsAt(listed, 'shares'), [made.record]);
    assert.equal(recordsAt(jsonOf(await home.query('shares', { path: 'hers' })), 'shares').length, 2);
    await home.send('DELETE', `/shares/${made.id}`);
    assertRejection(await asBen.query('shares', { path: 'hers' }), 404);
    assertRejection(await asBen.query('shares', { path: 'hers/only.md' }), 404);
  },
);

test(...claims('shares.list', 'links to a path are separate from links to folders above'), async () => {
  await home.put('list/sub/a.md', 'a');
  const outer = await share(home, 'list', { kind: 'folder' });
  const inner = await share(home, 'list/sub', { kind: 'folder' });
  const first = await share(home, 'list/sub/a.md');
  const second = await share(asBen, 'list/sub/a.md', { access: 'member' });
  const listed = jsonOf(await asBen.query('shares', { path: 'list/sub/a.md' }));
  assert.deepEqual(recordsAt(listed, 'shares'), [first.record, second.record]);
  assert.deepEqual(recordsAt(listed, 'inherited'), [outer.record, inner.record]);
  const none = jsonOf(await home.query('shares', { path: 'docs/deep' }));
  assert.deepEqual(none, { shares: [], inherited: [] });
});

test(...claims('shares.list-all', 'all links of a workspace are listed, newest first'), async () => {
  const workspace = await createWorkspace(ada);
  const bens = await joinWorkspace(workspace, ada, ben);
  const key = workspace.as((await createKey(ada)).client);
  assert.deepEqual(jsonOf(await workspace.query('shares')), { shares: [], inherited: [], truncated: false });
  for (const path of ['a/one.md', 'a/two.md', 'gone.md']) await workspace.put(path, path);
  const one = await share(workspace, 'a/one.md', { password: 'canary-secret' });
  const folder = await share(bens, 'a', { kind: 'folder', access: 'member' });
  const gone = await share(workspace, 'gone.md');
  const two = await share(workspace, 'a/two.md');
  await workspace.remove('gone.md', 1);
  for (const as of [workspace, bens, key]) {
    const response = await as.query('shares');
    assertStatus(response, 200);
    assert.deepEqual(jsonOf(response), {
      shares: [two, gone, folder, one].map(({ record }) => record),
      inherited: [],
      truncated: false,
    });
  }
  await workspace.send('DELETE', `/shares/${two.id}`);
  assert.equal(recordsAt(jsonOf(await bens.query('shares')), 'shares').length, 3);
  assertRejection(await workspace.query('shares', { path: '' }), 400);
});

test(
  ...claims('shares.list-all', 'the list of all links omits links to content that the caller cannot see'),
  async () => {
    const workspace = await createWorkspace(ada);
    const bens = await joinWorkspace(workspace, ada, ben);
    await workspace.put('hers/only.md', 'private soon');
    await share(workspace, 'hers', { kind: 'folder' });
    const made = await share(bens, 'hers', { kind: 'folder', access: 'member' });
    const privacy = { path: 'hers/only.md', kind: 'file', private: true };
    assertStatus(await workspace.send('PUT', '/node-private', { json: privacy }), 200);
    const listed = jsonOf(await bens.query('shares'));
    assert.deepEqual(listed, { shares: [made.record], inherited: [], truncated: false });
    assert.equal(recordsAt(jsonOf(await workspace.query('shares')), 'shares').length, 2);
  },
);

test(...claims('shares.kind', 'a link needs an existing file or folder'), async () => {
  const make = (path: string, kind: string) => home.post('shares', { path, kind, access: 'public' });
  assertRejection(await make('docs/plan.md', 'folder'), 400, { says: /file/ });
  assertRejection(await make('docs', 'file'), 400, { says: /folder/ });
  assertRejection(await make('docs/none.md', 'file'), 404);
  assertRejection(await make('nowhere', 'folder'), 404);
  assertRejection(await make('docs/../plan.md', 'file'), 400, { says: /^Invalid path/ });
  assertRejection(await make('docs', 'workspace'), 400);
  assertRejection(await home.query('shares', { path: 'docs/none.md' }), 404);
});

test(...claims('shares.key-member-only', 'a key makes a member link'), async () => {
  const { record } = await share(asKey, 'docs/plan.md', { access: 'member' });
  assert.equal(record.access, 'member');
  assert.equal(record.createdBy, ada.id);
});

for (const options of [{ access: 'public' }, { password: 'passphrase' }, { allowScripts: true }]) {
  test(
    ...claims(['shares.session-only'], `a key cannot make a link with ${JSON.stringify(options)}`),
    async () => {
      const body = { path: 'docs/plan.md', kind: 'file', access: 'member', ...options };
      assertRejection(await asKey.post('shares', body), 403);
      assertStatus(await home.post('shares', body), 201);
    },
  );
}

test(
  ...claims(
    ['shares.scripts-off', 'shares.patch', 'shares.session-only'],
    'a key turns scripts off, but not back on',
  ),
  async () => {
    const made = await share(home, 'docs/plan.md', { allowScripts: true });
    const off = await patch(made.id, false, asKey);
    assertStatus(off, 200);
    assert.deepEqual(jsonOf(off), { share: { ...made.record, allowScripts: false } });
    assertRejection(await patch(made.id, true, asKey), 403);
    const on = await patch(made.id, true);
    assert.deepEqual(jsonOf(on), { share: made.record });
    assertRejection(await patch(made.id, 'yes'), 400);
    assertRejection(await patch('share_none', true), 404);
  },
);

test(...claims('shares.folder-scripts', 'a folder link never runs scripts, for any caller'), async () => {
  const body = { path: 'docs', kind: 'folder', access: 'public', allowScripts: true };
  for (const as of [home, asKey]) assertRejection(await as.post('shares', body), 400);
  const made = await share(home, 'docs', { kind: 'folder' });
  for (const as of [home, asKey]) assertRejection(await patch(made.id, true, as), 400);
});

test(...claims('shares.private', 'a private item cannot be shared'), async () => {
  await home.put('own/a.md', 'a');
  assertStatus(
    await home.send('PUT', '/node-private', { json: { path: 'own', kind: 'folder', private: true } }),
    200,
  );
  const body = { path: 'own/a.md', kind: 'file', access: 'member' };
  assertRejection(await home.post('shares', body), 409);
  assertRejection(await home.post('shares', { ...body, path: 'own', kind: 'folder' }), 409);
  const hidden = await asBen.post('shares', body);
  const absent = await asBen.post('shares', { ...body, path: 'none/a.md' });
  assertRejection(hidden, 404);
  assert.deepEqual(jsonOf(hidden), jsonOf(absent));
  assertRejection(await asBen.query('shares', { path: 'own/a.md' }), 404);
});

test(...claims('shares.pinned', 'a pin names a version, its hash, or both when they agree'), async () => {
  const first = { pinnedVersion: 1, pinnedContentHash: sha256('first') };
  for (const pin of [first, { pinnedVersion: 1 }, { pinnedContentHash: sha256('first') }]) {
    const { record } = await share(home, 'docs/plan.md', pin);
    assert.equal(record.pinnedVersion, 1);
    assert.equal(record.pinnedContentHash, sha256('first'));
  }
  const body = { path: 'docs/plan.md', kind: 'file', access: 'public' };
  const wrong = [
    { pinnedVersion: 2, pinnedContentHash: sha256('first') },
    { pinnedVersion: 3 },
    { pinnedContentHash: sha256('never') },
    { pinnedContentHash: 'abc' },
    { pinnedVersion: 0 },
  ];
  for (const pin of wrong) assertRejection(await home.post('shares', { ...body, ...pin }), 400);
  assertRejection(
    await home.post('shares', { ...body, path: 'docs', kind: 'folder', pinnedVersion: 1 }),
    400,
  );
});

test(
  ...claims('shares.pinned', 'a pinned link keeps its version through later writes, and moves with the file'),
  async () => {
    await home.put('pin/a.txt', 'old words');
    const pinned = await share(home, 'pin/a.txt', { pinnedVersion: 1 });
    const plain = await share(home, 'pin/a.txt');
    await home.put('pin/a.txt', 'new words', { ifMatch: 1 });
    assertStatus(await home.post('move', { from: 'pin/a.txt', to: 'pin/b.txt' }), 200);
    const read = async (path: string) => (await server.send('GET', path)).bytes.toString('utf8');
    assert.equal(await read(`${pinned.path}/content`), 'old words');
    assert.match(await read(pinned.path), /old words/);
    assert.equal(await read(`${plain.path}/content`), 'new words');
  },
);

test(
  ...claims(['shares.managed-by', 'shares.revoke'], 'only the maker of a link, owners and admins end it'),
  async () => {
    const adas = await share(home, 'docs/plan.md');
    const bens = await share(asBen, 'docs/plan.md');
    assertRejection(await patch(adas.id, true, asBen), 403);
    assertRejection(await asBen.send('DELETE', `/shares/${adas.id}`), 403);
    assertStatus(await asBen.send('PATCH', `/shares/${bens.id}`, { json: { allowScripts: true } }), 200);
    for (const link of [adas, bens]) {
      const response = await home.send('DELETE', `/shares/${link.id}`);
      assertStatus(response, 204);
      assert.equal(response.bytes.length, 0);
      assertRejection(await home.send('DELETE', `/shares/${link.id}`), 404);
      assertStatus(await server.send('GET', link.path), 404);
    }
  },
);

test(
  ...claims('shares.views', 'usage and the link itself count views, also of links that ended'),
  async () => {
    const counted = await createWorkspace(ada);
    await counted.put('a.txt', 'a');
    const link = await share(counted, 'a.txt');
    const viewsOf = async () => recordOf(jsonOf(await counted.query('usage')).shareViews);
    assert.deepEqual(await viewsOf(), { total: 0, last30Days: 0 });
    for (let view = 0; view < 3; view += 1) await server.send('GET', link.path);
    await server.send('HEAD', link.path);
    const [listed] = recordsAt(jsonOf(await counted.query('shares', { path: 'a.txt' })), 'shares');
    assert.equal(integerAt(recordOf(listed), 'viewCount'), 3);
    await counted.send('DELETE', `/shares/${link.id}`);
    await server.send('GET', link.path);
    assert.deepEqual(await viewsOf(), { total: 3, last30Days: 3 });
    assert.equal(headerOf(await counted.query('usage'), 'cache-control'), 'no-store');
  },
);
