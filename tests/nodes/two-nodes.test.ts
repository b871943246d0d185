import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { askForCode, freshAddress, pollWith } from '../support/device-flow.ts';
import { editRounds, playEditRounds } from '../support/edit-rounds.ts';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, feedLines, sha256 } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { acceptInvite, createInvite, join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { type ServiceNode, useTwoNodes } from '../support/nodes.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import {
  type HttpResponse,
  headerOf,
  integerAt,
  jsonOf,
  recordOf,
  recordsAt,
  textAt,
} from '../support/response.ts';
import { opens, share } from '../support/shares.ts';
import { createWorkspace } from '../support/workspace-client.ts';

/**
 * Two processes on one database and one store for large contents, without a load balancer that would send a
 * client to the same one twice. A change at one node applies at the other from the next request.
 */
const { here, there } = await useTwoNodes({ STOA_TRUST_PROXY: 'loopback' });
const ada = await signUp(here.client, 'Ada');

/** The same caller at one node or the other: a browser knows only the public address. */
const { origin } = new URL(here.client.url);
const atNode = (node: ServiceNode, caller: HttpClient) => node.client.as({ ...caller.credentials, origin });
const thereAs = (caller: HttpClient) => atNode(there, caller);
const hereAs = (caller: HttpClient) => atNode(here, caller);

const signedUpThere = await signUp(there.client, 'Bob');
const bob: Person = { ...signedUpThere, session: thereAs(signedUpThere.session) };
const statusOf = async (response: Promise<HttpResponse>) => (await response).status;

/** Polls a condition. Fails when the work that should cause it has ended before. */
async function until(isSo: () => boolean | Promise<boolean>, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  while (!(await isSo())) {
    assert.ok(!isOver, 'it ended before the condition was true');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a session from one node is valid on the other, and ends on both', async () => {
  const eve = await signUp(here.client, 'Eve');
  const elsewhere = thereAs(eve.session);
  assert.equal(textAt(recordOf(jsonOf(await elsewhere.send('GET', '/api/me')).user), 'id'), eve.id);
  assertStatus(await elsewhere.send('POST', '/api/auth/sign-out', { json: {} }), 200);
  assert.equal(await statusOf(eve.session.send('GET', '/api/me')), 401);
});

test('a key made on one node works on the other, and fails there as soon as it is revoked', async () => {
  const key = await createKey(ada);
  assert.equal(await statusOf(thereAs(key.client).send('GET', '/api/me')), 200);
  assertStatus(await ada.session.send('DELETE', `/api/keys/${key.id}`), 200);
  assertRejection(await thereAs(key.client).send('GET', '/api/me'), 401, {
    data: { error: 'invalid_api_key', reason: 'KEY_NOT_FOUND' },
  });
});

test('a member removed on one node has no access on the other', async () => {
  const workspace = await createWorkspace(ada);
  await join(ada, { ...bob, session: hereAs(bob.session) }, workspace.id);
  const scoped = await createKey(bob, { workspaceId: workspace.id });
  const asBob = workspace.as(bob.session);
  assertStatus(await asBob.query('list'), 200);
  assertStatus(await asBob.as(scoped.client).query('list'), 200);
  assertStatus(await workspace.send('DELETE', `/members/${bob.id}`), 204);
  assertRejection(await asBob.query('list'), 403, { says: 'Not a workspace member' });
  assertRejection(await asBob.as(scoped.client).query('list'), 401, {
    data: { error: 'invalid_api_key', reason: 'KEY_NOT_FOUND' },
  });
});

test('an invite of one use, accepted on both nodes at once, admits one person', async () => {
  const eve = await signUp(here.client, 'Eve');
  for (let round = 0; round < 5; round += 1) {
    const workspace = await createWorkspace(ada);
    const { token } = await createInvite(ada, workspace.id, { maxUses: 1 });
    const statuses = await Promise.all([
      statusOf(acceptInvite(eve.session, token)),
      statusOf(acceptInvite(bob.session, token)),
    ]);
    assert.deepEqual(statuses.sort(), [200, 410]);
  }
});

test('attempts are counted over both nodes', async () => {
  const address = freshAddress();
  for (let asked = 0; asked < 5; asked += 1) {
    assertStatus(await askForCode((asked % 2 === 0 ? here : there).client, address), 200);
  }
  // This node received two of the five requests.
  assertStatus(await askForCode(there.client, address), 429);
  assertStatus(await askForCode(here.client, address), 429);
});

test('a device that polls both nodes at once gets its key once', async () => {
  const workspace = await createWorkspace(ada);
  for (let round = 0; round < 5; round += 1) {
    const code = jsonOf(await askForCode(here.client, freshAddress()));
    const approval = { userCode: textAt(code, 'user_code'), workspaceId: workspace.id };
    assertStatus(await thereAs(ada.session).send('POST', '/api/device/approve', { json: approval }), 200);
    const deviceCode = textAt(code, 'device_code');
    const polls = await Promise.all([pollWith(here.client, deviceCode), pollWith(there.client, deviceCode)]);
    const delivered = polls
      .filter(({ status }) => status === 200)
      .map((poll) => textAt(jsonOf(poll), 'api_key'));
    assert.equal(delivered.length, 1, polls.map(({ status }) => status).join());
    const key = there.client.as({ 'x-api-key': delivered[0] ?? '' });
    assertStatus(await key.send('GET', `${workspace.root}/list`), 200);
  }
});

test('a share link opens on both nodes, unlocked on either, with one address and one count', async () => {
  const workspace = await createWorkspace(ada);
  await workspace.put('locked.txt', 'behind a lock');
  const link = await share(workspace, 'locked.txt', { password: 'open sesame' });
  assert.equal(await opens(there.client, link), 401);
  const unlocked = await here.client.send('POST', `${link.path}/unlock`, {
    json: { password: 'open sesame' },
  });
  assertStatus(unlocked, 200);
  const cookie = (headerOf(unlocked, 'set-cookie') ?? '').split(';', 1)[0] ?? '';
  for (const node of [here, there]) {
    const content = await node.client.as({ cookie }).send('GET', `${link.path}/content`);
    assert.equal(content.bytes.toString(), 'behind a lock');
  }
  const asked = await workspace.as(thereAs(ada.session)).query('shares', { path: 'locked.txt' });
  const [shown] = recordsAt(jsonOf(asked), 'shares');
  assert.equal(shown?.url, link.record.url);
  assertStatus(await workspace.as(thereAs(ada.session)).send('DELETE', `/shares/${link.id}`), 204);
  assert.equal(await opens(here.client.as({ cookie }), link), 404);
});

test('views are counted together, whichever node shows the link', async () => {
  const workspace = await createWorkspace(ada);
  await workspace.put('seen.txt', 'x');
  const link = await share(workspace, 'seen.txt');
  const nodes = Array.from({ length: 20 }, (_, view) => (view % 2 === 0 ? here : there));
  assert.deepEqual(
    new Set(await Promise.all(nodes.map(({ client }) => opens(client, link)))),
    new Set([200]),
  );
  // Each node writes its counts before it responds to this.
  for (const node of [here, there]) {
    await workspace.as(node.client.as(ada.session.credentials)).query('usage');
  }
  const usage = jsonOf(await workspace.query('usage'));
  assert.equal(recordOf(usage.shareViews).total, 20);
});

test('a request that waits for a change on one node sees a change on the other', async () => {
  const written = await createWorkspace(ada);
  const idle = await createWorkspace(ada);
  const held = written.as(thereAs(ada.session)).query('changes', { sinceSeq: written.startSeq, wait: 30 });
  const heldInVain = idle.as(thereAs(ada.session)).query('changes', { sinceSeq: idle.startSeq, wait: 30 });
  await until(async () => (await there.feedWaiting()) === 2, Promise.race([held, heldInVain]));
  await written.put('news.md', 'news');
  const first = await Promise.race([held.then(() => 'told'), heldInVain.then(() => 'not told')]);
  assert.equal(first, 'told');
  const [change] = recordsAt(jsonOf(await held), 'changes');
  assert.equal(change?.path, 'news.md');
  // Lets the other request go, so that the test need not wait for it.
  await idle.put('late.md', 'late');
  await heldInVain;
});

test('text written on one node is read, found and listed on the other at once', async () => {
  const workspace = await createWorkspace(ada);
  const elsewhere = workspace.as(thereAs(ada.session));
  const large = randomBytes(300_000);
  for (let round = 0; round < 5; round += 1) {
    const path = `round ${round}/large.bin`;
    await workspace.put(path, large, { contentType: 'application/octet-stream' });
    await assertFile(elsewhere, path, large, 1);
    const found = jsonOf(await elsewhere.query('search', { q: `round ${round} large` }));
    assert.ok(
      recordsAt(found, 'results').some((result) => result.path === path),
      path,
    );
    await elsewhere.put(path, 'small', { ifMatch: 1 });
    await assertFile(workspace, path, 'small', 2);
  }
});

test('one of the writers on both nodes wins each version, and both nodes show one feed', async () => {
  const workspace = await createWorkspace(ada);
  const nodes = [workspace, workspace.as(thereAs(ada.session))] as const;
  await workspace.put('plan.md', 'first');
  const losses: { readonly path: string; readonly body: string }[] = [];
  for (let version = 1; version <= 5; version += 1) {
    const bodies = Array.from({ length: 12 }, (_, writer) => `version ${version} by ${writer}`);
    const responses = await Promise.all(
      bodies.map((body, writer) =>
        (writer % 2 === 0 ? nodes[0] : nodes[1]).put('plan.md', body, { ifMatch: version }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    for (const [writer, response] of responses.entries()) {
      if (response.status === 200) continue;
      assertStatus(response, 412);
      losses.push({ path: textAt(jsonOf(response), 'conflict_copy_path'), body: bodies[writer] ?? '' });
    }
  }
  for (const { path, body } of losses) await assertFile(nodes[0], path, body, 1);
  const feeds = await Promise.all(nodes.map((node) => node.changes()));
  assert.deepEqual(feeds[0], feeds[1]);
  const seqs = (feeds[0] ?? []).map((change) => integerAt(change, 'seq'));
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => workspace.startSeq + 1 + index),
  );
  assert.equal((await feedLines(nodes[1])).length, 1 + 5 + losses.length);
});

test('all parallel edits at both nodes are in the file, even in one too large for the database', {
  timeout: 60_000 + editRounds * 15_000,
}, async () => {
  const workspace = await createWorkspace(ada);
  const key = await createKey(ada);
  const locations = [here, there].map((node) => ({
    mcp: openMcp(node.client, key, { workspaceId: workspace.id, toolSet: 'extended' }),
    contentOf: async (path: string) =>
      (await workspace.as(node.client.as(key.client.credentials)).get(path)).bytes.toString(),
  }));
  const padding = 'The same in every version.\n'.repeat(3_000);
  for (const editors of [2, 8]) {
    const path = `edited-by-${editors}.md`;
    await playEditRounds(locations, { path, editors, rounds: editRounds, padding });
  }
});

test('a node killed during writes loses no acknowledged write, and the other continues', async () => {
  const workspace = await createWorkspace(ada);
  const { client: doomed } = there;
  const acknowledged = new Map<string, string>();
  let isKilled = false;
  const writeUntil = async (client: HttpClient, name: string, enough: (written: number) => boolean) => {
    for (let written = 0; !enough(written); written += 1) {
      const path = `${name}/${written}.txt`;
      const body = `${name} ${written} ${'x'.repeat(written % 3 === 0 ? 100_000 : 10)}`;
      const response = await workspace
        .as(client.as(ada.session.credentials))
        .put(path, body)
        .catch(() => null);
      if (response === null) return;
      if (response.status === 201) acknowledged.set(path, body);
    }
  };
  const dying = Array.from({ length: 8 }, (_, writer) =>
    writeUntil(doomed, `doomed ${writer}`, () => isKilled),
  );
  const writing = Array.from({ length: 4 }, (_, writer) =>
    writeUntil(here.client, `living ${writer}`, (written) => isKilled && written >= 20),
  );
  await until(() => acknowledged.size >= 40, Promise.race([...dying, ...writing]));
  await there.process.end('SIGKILL');
  isKilled = true;
  await Promise.all([...dying, ...writing]);
  for (const [path, body] of acknowledged) {
    const response = await workspace.get(path);
    assertStatus(response, 200);
    assert.equal(sha256(response.bytes), sha256(body), path);
  }
});
