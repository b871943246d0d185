import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRoleChange, memberRoles } from '@stoa/core';

test('only owners change roles', () => {
  for (const actorRole of memberRoles) {
    const { kind } = decideRoleChange({ actorRole, targetRole: 'member', wantedRole: 'admin', owners: 1 });
    assert.equal(kind, actorRole === 'owner' ? 'change' : 'forbidden', actorRole);
  }
});

test('the last owner cannot get another role', () => {
  const demote = (owners: number) =>
    decideRoleChange({ actorRole: 'owner', targetRole: 'owner', wantedRole: 'admin', owners }).kind;
  assert.equal(demote(1), 'last_owner');
  assert.equal(demote(2), 'change');
});

test('setting the current role changes nothing, even for the last owner', () => {
  for (const role of memberRoles) {
    const facts = { actorRole: 'owner', targetRole: role, wantedRole: role, owners: 1 } as const;
    assert.equal(decideRoleChange(facts).kind, 'unchanged', role);
  }
});

test('a role change adds no member', () => {
  const facts = { actorRole: 'owner', targetRole: null, wantedRole: 'admin', owners: 1 } as const;
  assert.equal(decideRoleChange(facts).kind, 'no_such_member');
});
