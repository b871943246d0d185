import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitesPerWorkspaceMax } from '@stoa/core';
import { acceptInvite } from '../../src/service/invites/accept-invite.ts';
import { createInvite } from '../../src/service/invites/create-invite.ts';
import { listInvites } from '../../src/service/invites/list-invites.ts';
import { previewInvite } from '../../src/service/invites/preview-invite.ts';
import { revokeInvite } from '../../src/service/invites/revoke-invite.ts';
import { removeMember } from '../../src/service/members/remove-member.ts';
import { openOwnedWorkspace } from '../members/support/owned-workspace.ts';

const dayMs = 24 * 60 * 60 * 1000;

test('of 200 people who come at once by a link for three, three get in', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token, invite } = await createInvite(deps, owner, { workspaceId, maxUses: 3 });
  const people = await Promise.all(Array.from({ length: 200 }, (_, n) => service.person(`Guest ${n}`)));
  const responses = await Promise.allSettled(people.map((person) => acceptInvite(deps, person, token)));
  assert.equal(responses.filter(({ status }) => status === 'fulfilled').length, 3);
  for (const response of responses) {
    if (response.status === 'rejected') assert.equal(response.reason.code, 'invite_gone');
  }
  assert.equal((await deps.store.reader.members.listOf(workspaceId)).length, 1 + 3);
  const [listed] = await listInvites(deps, await service.access(owner));
  assert.deepEqual([listed?.id, listed?.usesLeft], [invite.id, 0]);
});

test('one person who comes 200 times at once takes one use', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId, maxUses: 2 });
  const bob = await service.person('Bob');
  const responses = await Promise.all(Array.from({ length: 200 }, () => acceptInvite(deps, bob, token)));
  assert.equal(responses.filter(({ alreadyMember }) => !alreadyMember).length, 1);
  const [listed] = await listInvites(deps, await service.access(owner));
  assert.equal(listed?.usesLeft, 1);
});

test('a link without a number of uses admits every user', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId });
  for (let guest = 0; guest < 5; guest += 1) await acceptInvite(deps, await service.person('Guest'), token);
  const [listed] = await listInvites(deps, await service.access(owner));
  assert.deepEqual([listed?.maxUses, listed?.usesLeft], [null, null]);
});

test('a link works to the last millisecond of its time', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId });
  service.advance(7 * dayMs - 1);
  assert.equal((await previewInvite(deps, token)).invite.makerName, 'Ada');
  const bob = await service.person('Bob');
  assert.equal((await acceptInvite(deps, bob, token)).alreadyMember, false);
  service.advance(1);
  await assert.rejects(previewInvite(deps, token), { code: 'invite_gone' });
  await assert.rejects(acceptInvite(deps, await service.person('Eve'), token), { code: 'invite_gone' });
  assert.equal((await acceptInvite(deps, bob, token)).alreadyMember, true);
});

test('a link that expired long ago is forgotten, and makes room', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId, expiresInDays: 1 });
  service.advance(91 * dayMs);
  await createInvite(deps, owner, { workspaceId });
  await assert.rejects(previewInvite(deps, token), { code: 'invite_gone' });
  service.advance(1);
  await createInvite(deps, owner, { workspaceId });
  await assert.rejects(previewInvite(deps, token), { code: 'invite_not_found' });
});

test('a workspace keeps a bounded number of invites', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const make = () => createInvite(deps, owner, { workspaceId });
  const [first] = await Promise.all(Array.from({ length: invitesPerWorkspaceMax }, make));
  await assert.rejects(make(), { code: 'too_many_invites' });
  await revokeInvite(deps, await service.access(owner), first?.invite.id ?? '');
  await make();
});

test('the store contains no token', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId });
  const rows = await deps.store.reader.library.select('select * from invite', []);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token));
});

test('an invite created while its maker is removed is rejected', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const { token } = await createInvite(deps, owner, { workspaceId });
  const bob = await service.person('Bob');
  await acceptInvite(deps, bob, token);
  const early = await service.access(bob);
  await assert.rejects(createInvite(deps, bob, { workspaceId }), { code: 'forbidden_role' });
  await removeMember(deps, await service.access(owner), bob.actor.userId);
  await assert.rejects(createInvite(deps, bob, { workspaceId }), { code: 'not_a_member' });
  await assert.rejects(revokeInvite(deps, early, 'any'), { code: 'not_a_member' });
});
