import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/service/access.ts';
import { acceptInvite } from '../../src/service/invites/accept-invite.ts';
import { createInvite } from '../../src/service/invites/create-invite.ts';
import { changeRole } from '../../src/service/members/change-role.ts';
import { removeMember } from '../../src/service/members/remove-member.ts';
import { type OwnedWorkspace, openOwnedWorkspace } from './support/owned-workspace.ts';

async function joined(
  service: OwnedWorkspace,
  name: string,
  role: 'owner' | 'admin' | 'member',
): Promise<Caller> {
  const { deps, owner, workspaceId } = service;
  const person = await service.person(name);
  const { token } = await createInvite(deps, owner, { workspaceId });
  await acceptInvite(deps, person, token);
  await changeRole(deps, await service.access(owner), { userId: person.actor.userId, role });
  return person;
}

async function owners({ deps, workspaceId }: OwnedWorkspace): Promise<number> {
  return deps.store.reader.members.countOwners(workspaceId);
}

test('however owners leave, step down and remove each other, one stays', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner } = service;
  const others = await Promise.all(['B', 'C', 'D', 'E'].map((name) => joined(service, name, 'owner')));
  const all = [owner, ...others];
  const acts = await Promise.all(
    all.flatMap((actor, i) => {
      const next = all[(i + 1) % all.length] ?? actor;
      return [service.access(actor)].flatMap((access) => [
        async () => removeMember(deps, await access, actor.actor.userId),
        async () => removeMember(deps, await access, next.actor.userId),
        async () => changeRole(deps, await access, { userId: actor.actor.userId, role: 'member' }),
      ]);
    }),
  );
  const responses = await Promise.allSettled(acts.map((act) => act()));
  assert.equal(await owners(service), 1);
  for (const response of responses) {
    if (response.status === 'fulfilled') continue;
    const known = ['last_owner', 'not_a_member', 'forbidden_role', 'member_not_found'];
    assert.ok(known.includes(response.reason.code), String(response.reason));
  }
});

test('a role that was lost since the request began no longer counts', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner } = service;
  const bob = await joined(service, 'Bob', 'admin');
  const eve = await joined(service, 'Eve', 'member');
  const early = await service.access(bob);
  await changeRole(deps, await service.access(owner), { userId: bob.actor.userId, role: 'member' });
  await assert.rejects(removeMember(deps, early, eve.actor.userId), { code: 'forbidden_role' });
  assert.ok(await service.access(eve));
});

test('an invite made at the moment of a removal, or later, lets the person back in', async () => {
  await using service = await openOwnedWorkspace();
  const { deps, owner, workspaceId } = service;
  const before = await createInvite(deps, owner, { workspaceId });
  const bob = await joined(service, 'Bob', 'member');
  service.advance(1);
  await removeMember(deps, await service.access(owner), bob.actor.userId);
  const after = await createInvite(deps, owner, { workspaceId });
  await assert.rejects(acceptInvite(deps, bob, before.token), { code: 'invite_gone' });
  assert.equal((await acceptInvite(deps, bob, after.token)).alreadyMember, false);
  service.advance(1);
  await removeMember(deps, await service.access(owner), bob.actor.userId);
  await assert.rejects(acceptInvite(deps, bob, after.token), { code: 'invite_gone' });
});
