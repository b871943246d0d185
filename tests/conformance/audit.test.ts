import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const bob = await signUp(server, 'Bob');
const workspace = await createWorkspace(ada, ada.session);
const bobs = workspace.as(bob.session);
await join(ada, bob, workspace.id, 'owner');
await workspace.send('PUT', '/node-private', { json: { path: 'secret', kind: 'folder', private: true } });

const audit = (as: typeof workspace, query: Record<string, string | number> = {}) => as.query('audit', query);
const entriesOf = async (as: typeof workspace, query: Record<string, string | number> = {}) =>
  recordsAt(jsonOf(await audit(as, query)), 'entries');

test(...claims('members.audit', 'an owner reads who changed what, the newest first'), async () => {
  const entries = await entriesOf(workspace);
  const [first, second] = entries;
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['privacy.set', 'member.role', 'member.join', 'invite.use', 'invite.make', 'workspace.make'],
  );
  assert.equal(first?.path, 'secret');
  assert.deepEqual(second?.by, { id: ada.id, name: 'Ada', keyId: null, keyName: null });
  assert.deepEqual(second?.person, { id: bob.id, name: 'Bob' });
  assert.deepEqual(second?.details, { from: 'member', to: 'owner' });
  assert.equal(typeof second?.address, 'string');
  assert.equal(typeof second?.requestId, 'string');
});

test(...claims('members.audit-pages', 'the log comes in pages, and filtered'), async () => {
  const whole = await entriesOf(workspace);
  const page = jsonOf(await audit(workspace, { limit: 4 }));
  const rest = jsonOf(await audit(workspace, { limit: 4, cursor: String(page.nextCursor) }));
  assert.deepEqual([...recordsAt(page, 'entries'), ...recordsAt(rest, 'entries')], whole);
  assert.equal(rest.nextCursor, null);
  const kinds = (await entriesOf(workspace, { kind: 'invite' })).map(({ action }) => action);
  assert.deepEqual(kinds, ['invite.use', 'invite.make']);
  assert.equal((await entriesOf(workspace, { person: bob.id })).length, 3);
  const [newest] = whole;
  assert.deepEqual(await entriesOf(workspace, { until: '2000-01-01' }), []);
  assert.equal((await entriesOf(workspace, { since: String(newest?.at) }))[0]?.id, newest?.id);
  for (const wrong of [{ kind: 'nothing' }, { cursor: 'x' }, { since: 'soon' }, { limit: 0 }]) {
    assertRejection(await audit(workspace, wrong), 400);
  }
});

test(...claims('members.audit-lines', 'the log comes as lines, the oldest first'), async () => {
  const response = await audit(workspace, { format: 'jsonl' });
  assertStatus(response, 200);
  assert.match(String(response.headers.get('content-type')), /^application\/x-ndjson/);
  const lines = new TextDecoder().decode(response.bytes).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    (await entriesOf(workspace)).toReversed(),
  );
});

test(...claims('members.audit-private', "another owner's private path is omitted"), async () => {
  const [entry] = await entriesOf(bobs);
  assert.deepEqual([entry?.action, entry?.path], ['privacy.set', null]);
});

test(...claims('members.audit-owners', 'only an owner with a session reads the log'), async () => {
  const eve = await signUp(server, 'Eve');
  await join(ada, eve, workspace.id, 'admin');
  assertRejection(await audit(workspace.as(eve.session)), 403);
  assertRejection(await audit(workspace.as(eve.session), { format: 'jsonl' }), 403);
  const { client } = await createKey(ada);
  assertRejection(await audit(workspace.as(client)), 403);
});
