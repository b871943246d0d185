import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { acceptInvite, createInvite, join } from '../support/invites.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const bob = await signUp(server, 'Bob');
const eve = await signUp(server, 'Eve');
const dayMs = 24 * 60 * 60 * 1000;

const emptyWorkspace = () => createWorkspace(ada, ada.session, 'Notes');
const invite = (json: unknown) => ada.session.send('POST', '/api/invites', { json });
const preview = (token: string) => server.send('GET', `/api/invites/${token}`);

test(...claims(['members.invite', 'members.invite-answer'], 'an invite is a link for a week'), async () => {
  const workspace = await emptyWorkspace();
  const before = Date.now();
  const response = await invite({ workspaceId: workspace.id });
  assertStatus(response, 200);
  const { id, url, expiresAt, ...rest } = jsonOf(response);
  assert.deepEqual(rest, { maxUses: null });
  assert.ok(typeof id === 'string' && URL.canParse(String(url)));
  const token = String(url).split('/').at(-1) ?? '';
  assert.ok(token.length >= 22, 'fewer than 128 bits');
  const expires = Date.parse(String(expiresAt));
  assert.ok(expires >= before + 7 * dayMs && expires <= Date.now() + 7 * dayMs);
  assertStatus(await acceptInvite(bob.session, token), 200);
});

test(...claims('members.invite-expiry', 'an invite lasts 1 to 90 whole days'), async () => {
  const { id: workspaceId } = await emptyWorkspace();
  for (const expiresInDays of [1, 7, 90]) {
    const before = Date.now();
    const response = await invite({ workspaceId, expiresInDays });
    assertStatus(response, 200);
    const expires = Date.parse(textAt(jsonOf(response), 'expiresAt'));
    assert.ok(expires >= before + expiresInDays * dayMs && expires <= Date.now() + expiresInDays * dayMs);
  }
  for (const expiresInDays of [0, 91, -1, 1.5, '7', null, 1e9]) {
    assertRejection(await invite({ workspaceId, expiresInDays }), 400, { says: /expiresInDays/ });
  }
});

test(...claims('members.invite-malformed', 'an invite names a workspace and a number of uses'), async () => {
  const { id: workspaceId } = await emptyWorkspace();
  for (const maxUses of [0, -1, 1.5, '3', 1e9]) {
    assertRejection(await invite({ workspaceId, maxUses }), 400, { says: /maxUses/ });
  }
  for (const json of [{}, { workspaceId: '' }, { workspaceId: 7 }, []])
    assertRejection(await invite(json), 400);
  assertRejection(await invite({ workspaceId: 'no-such-workspace' }), 404);
});

test(...claims('members.invite-role', 'only owners and admins invite'), async () => {
  const workspace = await emptyWorkspace();
  await join(ada, bob, workspace.id, 'admin');
  await join(ada, eve, workspace.id);
  await createInvite(bob, workspace.id);
  const json = { workspaceId: workspace.id };
  const byMember = await eve.session.send('POST', '/api/invites', { json });
  assertRejection(byMember, 403, { says: /owners and admins/i });
  const outsider = await signUp(server, 'Otto');
  const byOutsider = await outsider.session.send('POST', '/api/invites', { json });
  assertRejection(byOutsider, 403, { says: 'Not a workspace member' });
});

test(...claims('members.invite-role', 'the invites of an admin end with the admin role'), async () => {
  const workspace = await emptyWorkspace();
  await join(ada, bob, workspace.id, 'admin');
  const byBob = await createInvite(bob, workspace.id);
  const byAda = await createInvite(ada, workspace.id);
  const json = { role: 'member' };
  assertStatus(await ada.session.send('PATCH', `${workspace.root}/members/${bob.id}`, { json }), 200);
  const outsider = await signUp(server, 'Olga');
  assertRejection(await acceptInvite(outsider.session, byBob.token), 404);
  assertStatus(await acceptInvite(outsider.session, byAda.token), 200);
});

test(...claims('members.invite-preview', 'an invite link shows its workspace and its inviter'), async () => {
  const workspace = await emptyWorkspace();
  assertStatus(await workspace.send('PATCH', '', { json: { icon: '🦉', color: 'rose' } }), 200);
  const { token } = await createInvite(ada, workspace.id);
  const response = await preview(token);
  assertStatus(response, 200);
  const { expiresAt, ...rest } = jsonOf(response);
  assert.ok(Date.parse(String(expiresAt)) > Date.now());
  assert.deepEqual(rest, {
    workspace: { id: workspace.id, name: 'Notes', icon: '🦉', color: 'rose' },
    invitedBy: { name: 'Ada', image: '' },
    valid: true,
  });
});

test(
  ...claims(['members.invite-accept', 'members.invite-accept-again'], 'joining twice joins once'),
  async () => {
    const workspace = await emptyWorkspace();
    const { token } = await createInvite(ada, workspace.id, { maxUses: 2 });
    const joined = { workspaceId: workspace.id, role: 'member' };
    assertJson(await acceptInvite(bob.session, token), 200, { ...joined, alreadyMember: false });
    for (let again = 0; again < 3; again += 1) {
      assertJson(await acceptInvite(bob.session, token), 200, { ...joined, alreadyMember: true });
    }
    assertJson(await acceptInvite(ada.session, token), 200, {
      workspaceId: workspace.id,
      role: 'owner',
      alreadyMember: true,
    });
    assertStatus(await workspace.as(bob.session).query('list'), 200);
    assertJson(await acceptInvite(eve.session, token), 200, { ...joined, alreadyMember: false });
  },
);

test(
  ...claims(
    ['members.invite-used-up', 'members.invite-accept-again'],
    'a used-up link admits no new user and says so; earlier users may repeat',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    const { token } = await createInvite(ada, workspace.id, { maxUses: 1 });
    assertStatus(await acceptInvite(bob.session, token), 200);
    assertRejection(await acceptInvite(eve.session, token), 410);
    assertRejection(await preview(token), 410);
    assert.equal(jsonOf(await acceptInvite(bob.session, token)).alreadyMember, true);
    assertRejection(await workspace.as(eve.session).query('list'), 403);
  },
);

test(
  ...claims('members.invite-used-up', 'when many join at once, a link admits only as many as it allows'),
  async () => {
    const workspace = await emptyWorkspace();
    const { token } = await createInvite(ada, workspace.id, { maxUses: 3 });
    const guests = await Promise.all(Array.from({ length: 10 }, (_, n) => signUp(server, `Guest ${n}`)));
    const responses = await Promise.all(
      guests.flatMap(({ session }) => [acceptInvite(session, token), acceptInvite(session, token)]),
    );
    const joined = responses
      .filter(({ status }) => status === 200)
      .map((response) => jsonOf(response).alreadyMember);
    assert.deepEqual(joined.sort(), [false, false, false, true, true, true]);
    assert.ok(responses.every(({ status }) => status === 200 || status === 410));
    assert.equal(recordsAt(jsonOf(await workspace.query('members')), 'members').length, 1 + 3);
  },
);

test(...claims('members.invite-unknown', 'an invented link is unknown'), async () => {
  const { token } = await createInvite(ada, (await emptyWorkspace()).id);
  for (const unknown of [
    'x',
    token.slice(1),
    `${token}x`,
    'A'.repeat(43),
    '%00',
    "'",
    '%2e%2e',
    token.toLowerCase(),
  ]) {
    assertRejection(await preview(unknown), 404);
    assertRejection(await acceptInvite(bob.session, unknown), 404);
  }
});

test(...claims('members.invite-session-only', 'inviting and joining need a session'), async () => {
  const workspace = await emptyWorkspace();
  const { token, id } = await createInvite(ada, workspace.id);
  const key = await createKey(ada);
  const json = { workspaceId: workspace.id };
  for (const [method, path, request] of [
    ['POST', '/api/invites', { json }],
    ['POST', `/api/invites/${token}/accept`, {}],
    ['GET', `${workspace.root}/invites`, {}],
    ['DELETE', `${workspace.root}/invites/${id}`, {}],
  ] as const) {
    assertRejection(await server.send(method, path, request), 401);
    assertRejection(await key.client.send(method, path, request), 403, { says: /session/ });
  }
  assertStatus(await preview(token), 200);
});

test(...claims('members.invite-list', 'owners and admins see the invites, without the links'), async () => {
  const workspace = await emptyWorkspace();
  await join(ada, bob, workspace.id, 'admin');
  await join(ada, eve, workspace.id);
  const usedUp = await createInvite(ada, workspace.id, { maxUses: 1 });
  const newcomer = await signUp(server, 'New');
  assertStatus(await acceptInvite(newcomer.session, usedUp.token), 200);
  const open = await createInvite(bob, workspace.id, { maxUses: 5, expiresInDays: 1 });
  const response = await workspace.as(bob.session).query('invites');
  assertStatus(response, 200);
  const [first, second] = recordsAt(jsonOf(response), 'invites');
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual(Object.keys(first).sort(), [
    'createdAt',
    'expiresAt',
    'id',
    'invitedBy',
    'maxUses',
    'usesLeft',
    'valid',
  ]);
  const { id, maxUses, usesLeft, valid } = first;
  assert.deepEqual({ id, maxUses, usesLeft, valid }, { id: open.id, maxUses: 5, usesLeft: 5, valid: true });
  assert.deepEqual(recordOf(first.invitedBy), { id: bob.id, name: 'Bob', image: '' });
  assert.deepEqual([second.id, second.usesLeft, second.valid], [usedUp.id, 0, false]);
  for (const { token } of [open, usedUp]) assert.ok(!response.bytes.toString().includes(token));
  assertRejection(await workspace.as(eve.session).query('invites'), 403, { says: /owners and admins/i });
});

test(...claims('members.invite-revoke', 'an ended link is unknown'), async () => {
  const workspace = await emptyWorkspace();
  await join(ada, eve, workspace.id);
  const { token, id } = await createInvite(ada, workspace.id);
  const path = `${workspace.root}/invites/${id}`;
  assertRejection(await eve.session.send('DELETE', path), 403, { says: /owners and admins/i });
  const elsewhere = await emptyWorkspace();
  assertRejection(await ada.session.send('DELETE', `${elsewhere.root}/invites/${id}`), 404);
  assertStatus(await preview(token), 200);
  assertStatus(await ada.session.send('DELETE', path), 204);
  assertRejection(await preview(token), 404);
  assertRejection(await acceptInvite(bob.session, token), 404);
  assertRejection(await ada.session.send('DELETE', path), 404);
});
