import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, listedPaths } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { acceptInvite, createInvite, join } from '../support/invites.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient, workspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const bob = await signUp(server, 'Bob');
const eve = await signUp(server, 'Eve');
const notMember = { says: 'Not a workspace member' };

/** A workspace of Ada's that the others have joined in these roles. */
async function team(...others: readonly (readonly [Person, 'owner' | 'admin' | 'member'])[]) {
  const workspace = await createWorkspace(ada, ada.session);
  for (const [person, role] of others) await join(ada, person, workspace.id, role);
  return workspace;
}

const remove = (client: HttpClient, workspace: WorkspaceClient, person: Pick<Person, 'id'>) =>
  client.send('DELETE', `${workspace.root}/members/${person.id}`);

const changeRole = (
  client: HttpClient,
  workspace: WorkspaceClient,
  person: Pick<Person, 'id'>,
  role: unknown,
) => client.send('PATCH', `${workspace.root}/members/${person.id}`, { json: { role } });

async function rolesIn(workspace: WorkspaceClient): Promise<Readonly<Record<string, unknown>>> {
  const members = recordsAt(jsonOf(await workspace.query('members')), 'members');
  return Object.fromEntries(members.map(({ name, role }) => [name, role]));
}

test(
  ...claims(['members.remove', 'members.remove-answer'], 'an owner removes a member, at once'),
  async () => {
    const workspace = await team([bob, 'member']);
    const bobs = workspace.as(bob.session);
    assertStatus(await bobs.query('list'), 200);
    const response = await remove(ada.session, workspace, bob);
    assertStatus(response, 204);
    assert.equal(response.bytes.length, 0);
    assertRejection(await bobs.query('list'), 403, notMember);
    assert.deepEqual(await rolesIn(workspace), { Ada: 'owner' });
    const listed = jsonOf(await bob.session.send('GET', '/api/workspaces'));
    assert.ok(!recordsAt(listed, 'workspaces').some(({ id }) => id === workspace.id));
  },
);

test(...claims('members.remove', 'an admin removes members and admins'), async () => {
  const carol = await signUp(server, 'Carol');
  const workspace = await team([bob, 'admin'], [carol, 'admin'], [eve, 'member']);
  assertStatus(await remove(bob.session, workspace, eve), 204);
  assertStatus(await remove(bob.session, workspace, carol), 204);
  assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Bob: 'admin' });
});

test(...claims('members.remove-owner-by-admin', 'an admin cannot remove an owner'), async () => {
  const workspace = await team([bob, 'admin'], [eve, 'owner']);
  assertRejection(await remove(bob.session, workspace, ada), 403, { says: /owner/i });
  assertRejection(await remove(bob.session, workspace, eve), 403, { says: /owner/i });
  assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Eve: 'owner', Bob: 'admin' });
});

test(...claims('members.remove-role', 'a plain member removes no other member'), async () => {
  const workspace = await team([bob, 'member'], [eve, 'member']);
  for (const other of [ada, eve, { id: 'nobody' }]) {
    assertRejection(await remove(bob.session, workspace, other), 403, { says: /owners and admins/i });
  }
  assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Bob: 'member', Eve: 'member' });
});

for (const role of ['member', 'admin', 'owner'] as const) {
  test(...claims('members.remove-self', `one who is ${role} may leave`), async () => {
    const workspace = await team([bob, role]);
    assertStatus(await remove(bob.session, workspace, bob), 204);
    assertRejection(await workspace.as(bob.session).query('list'), 403, notMember);
    assert.deepEqual(await rolesIn(workspace), { Ada: 'owner' });
  });
}

test(...claims('members.remove-last-owner', 'the last owner cannot leave'), async () => {
  const workspace = await team([bob, 'admin']);
  assertRejection(await remove(ada.session, workspace, ada), 409);
  assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Bob: 'admin' });
  assertStatus(await changeRole(ada.session, workspace, bob, 'owner'), 200);
  assertStatus(await remove(ada.session, workspace, ada), 204);
  assertRejection(await remove(bob.session, workspace, bob), 409);
});

test(
  ...claims('members.remove-last-owner', 'of two owners who leave at the same moment, one stays'),
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const workspace = await team([bob, 'owner']);
      const responses = await Promise.all([ada, bob].map((one) => remove(one.session, workspace, one)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409]);
    }
  },
);

test(...claims('members.unknown', 'an outsider cannot be removed or given a role'), async () => {
  const workspace = await team();
  for (const nobody of [eve, { id: 'user_none' }, { id: '%00' }, { id: "'" }]) {
    assertRejection(await remove(ada.session, workspace, nobody), 404);
    assertRejection(await changeRole(ada.session, workspace, nobody, 'admin'), 404);
  }
});

test(...claims('members.session-only', 'members are managed by a person, not by a key'), async () => {
  const workspace = await team([bob, 'member']);
  const key = await createKey(ada);
  const scoped = await createKey(ada, { workspaceId: workspace.id });
  for (const { client } of [key, scoped]) {
    assertRejection(await remove(client, workspace, bob), 403, { says: /session/ });
    assertRejection(await remove(client, workspace, ada), 403, { says: /session/ });
    assertRejection(await changeRole(client, workspace, bob, 'admin'), 403, { says: /session/ });
  }
  assertRejection(await remove(server, workspace, bob), 401);
  assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Bob: 'member' });
});

test(...claims('members.role', 'an owner changes roles'), async () => {
  const workspace = await team([bob, 'member']);
  for (const role of ['admin', 'owner', 'member', 'member']) {
    const member = { id: bob.id, name: 'Bob', image: '', role };
    assertJson(await changeRole(ada.session, workspace, bob, role), 200, { member });
    assert.equal((await rolesIn(workspace)).Bob, role);
  }
});

test(
  ...claims('members.role-refused', 'only an owner changes roles, and an admin cannot even step down'),
  async () => {
    const workspace = await team([bob, 'admin'], [eve, 'member']);
    for (const person of [bob, eve]) {
      assertRejection(await changeRole(person.session, workspace, eve, 'admin'), 403, { says: /owners/i });
      assertRejection(await changeRole(person.session, workspace, person, 'member'), 403, {
        says: /owners/i,
      });
    }
    assert.deepEqual(await rolesIn(workspace), { Ada: 'owner', Bob: 'admin', Eve: 'member' });
  },
);

test(...claims('members.role-last-owner', 'the last owner stays owner'), async () => {
  const workspace = await team([bob, 'admin']);
  assertRejection(await changeRole(ada.session, workspace, ada, 'admin'), 409);
  assertStatus(await changeRole(ada.session, workspace, bob, 'owner'), 200);
  assertStatus(await changeRole(ada.session, workspace, ada, 'member'), 200);
  assertRejection(await changeRole(ada.session, workspace, ada, 'owner'), 403);
});

test(...claims('members.role-malformed', 'there are three roles'), async () => {
  const workspace = await team([bob, 'member']);
  for (const role of ['Owner', '', null, 7, 'guest', undefined]) {
    assertRejection(await changeRole(ada.session, workspace, bob, role), 400);
  }
});

test(
  ...claims(
    ['access.removed-scoped', 'access.removed-account-wide'],
    'the keys of a removed member stop working here, and only here',
  ),
  async () => {
    const workspace = await team([bob, 'member']);
    const other = await createWorkspace(bob, bob.session);
    const wide = await createKey(bob);
    const scoped = await createKey(bob, { workspaceId: workspace.id });
    const elsewhere = await createKey(bob, { workspaceId: other.id });
    for (const { client } of [wide, scoped]) assertStatus(await workspace.as(client).query('list'), 200);
    assertStatus(await remove(ada.session, workspace, bob), 204);
    assertRejection(await workspace.as(wide.client).query('list'), 403, notMember);
    assertRejection(await workspace.as(wide.client).put('a.md', 'x'), 403, notMember);
    const deleted = { data: { error: 'invalid_api_key', reason: 'KEY_NOT_FOUND' } };
    assertRejection(await workspace.as(scoped.client).query('list'), 401, deleted);
    for (const { client } of [wide, elsewhere]) assertStatus(await other.as(client).query('list'), 200);
    const keys = recordsAt(jsonOf(await bob.session.send('GET', '/api/keys')), 'keys').map(({ id }) => id);
    assert.ok(!keys.includes(scoped.id) && keys.includes(wide.id) && keys.includes(elsewhere.id));
    const again = await bob.session.send('POST', '/api/keys', { json: { workspaceId: workspace.id } });
    assertRejection(again, 403, notMember);
  },
);

test(...claims('members.remove-held-feed', 'a waiting feed request ends with the membership'), async () => {
  const workspace = await team([bob, 'member']);
  const head = Number(jsonOf(await workspace.query('changes', { limit: 0 })).head);
  const held = workspace.as(bob.session).query('changes', { sinceSeq: head, wait: 20 });
  assertStatus(await remove(ada.session, workspace, bob), 204);
  assertStatus(await workspace.put('after.md', 'secret'), 201);
  assertRejection(await held, 403, notMember);
});

test(
  ...claims(
    'members.private-kept',
    'private files of a removed member stay private and return with the member',
  ),
  async () => {
    const workspace = await team([bob, 'member']);
    const bobs = workspace.as(bob.session);
    await bobs.put('diary/today.md', 'dear diary');
    const json = { path: 'diary', kind: 'folder', private: true };
    assertStatus(await bobs.send('PUT', '/node-private', { json }), 200);
    const usage = jsonOf(await workspace.query('usage')).usedFiles;
    assertStatus(await remove(ada.session, workspace, bob), 204);
    assertRejection(await workspace.get('diary/today.md'), 404);
    assert.deepEqual(await listedPaths(workspace), []);
    assertRejection(await workspace.put('diary/new.md', 'x'), 404);
    assert.equal(jsonOf(await workspace.query('usage')).usedFiles, usage);
    await join(ada, bob, workspace.id);
    await assertFile(bobs, 'diary/today.md', 'dear diary', 1);
    assertRejection(await workspace.get('diary/today.md'), 404);
  },
);

test(...claims('members.invite-after-removal', 'a removal is not undone by a link from before'), async () => {
  const workspace = await team();
  const early = await createInvite(ada, workspace.id);
  assertStatus(await acceptInvite(bob.session, early.token), 200);
  assertStatus(await remove(ada.session, workspace, bob), 204);
  assertRejection(await acceptInvite(bob.session, early.token), 410);
  assertStatus(await acceptInvite(eve.session, early.token), 200);
  await join(ada, bob, workspace.id);
  assertStatus(await workspace.as(bob.session).query('list'), 200);
});

test(
  ...claims('members.invite-after-removal', 'a member who left may come back by the same link'),
  async () => {
    const workspace = await team();
    const { token } = await createInvite(ada, workspace.id);
    assertStatus(await acceptInvite(bob.session, token), 200);
    assertStatus(await remove(bob.session, workspace, bob), 204);
    assertStatus(await acceptInvite(bob.session, token), 200);
  },
);

test(
  ...claims('members.invites-of-removed', "a removed member's invites end, those of others stay"),
  async () => {
    const workspace = await team([bob, 'admin']);
    const bobs = await createInvite(bob, workspace.id);
    const adas = await createInvite(ada, workspace.id);
    assertStatus(await remove(ada.session, workspace, bob), 204);
    assertRejection(await acceptInvite(eve.session, bobs.token), 404);
    assertStatus(await acceptInvite(eve.session, adas.token), 200);
  },
);

test(...claims('workspaces.members', 'owners come first, then admins, then members'), async () => {
  const workspace = await team([bob, 'member'], [eve, 'admin']);
  const members = recordsAt(
    jsonOf(await workspaceClient(bob.session, workspace.id, 0).query('members')),
    'members',
  );
  assert.deepEqual(
    members.map((member) => `${textAt(member, 'name')} ${textAt(member, 'role')}`),
    ['Ada owner', 'Eve admin', 'Bob member'],
  );
});
