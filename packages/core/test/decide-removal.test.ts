import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRemoval, mayManageMembers, memberRoles } from '@stoa/core';

const others = (actorRole: 'owner' | 'admin' | 'member', targetRole: 'owner' | 'admin' | 'member' | null) =>
  decideRemoval({ actorRole, targetRole, isSelf: false, owners: 2 }).kind;

test('owners can remove every member, admins all except owners, members none', () => {
  assert.deepEqual(
    memberRoles.map((target) => others('owner', target)),
    ['remove', 'remove', 'remove'],
  );
  assert.deepEqual(
    memberRoles.map((target) => others('admin', target)),
    ['forbidden', 'remove', 'remove'],
  );
  assert.deepEqual(
    memberRoles.map((target) => others('member', target)),
    ['forbidden', 'forbidden', 'forbidden'],
  );
});

test('a plain member does not learn whether a user is a member', () => {
  assert.equal(others('member', null), 'forbidden');
  assert.equal(others('admin', null), 'no_such_member');
  assert.equal(others('owner', null), 'no_such_member');
});

test('every member except the last owner can leave', () => {
  for (const role of memberRoles) {
    const leave = (owners: number) =>
      decideRemoval({ actorRole: role, targetRole: role, isSelf: true, owners }).kind;
    assert.equal(leave(2), 'remove', role);
    assert.equal(leave(1), role === 'owner' ? 'last_owner' : 'remove', role);
  }
});

test('owners and admins manage members', () => {
  assert.deepEqual(memberRoles.filter(mayManageMembers), ['owner', 'admin']);
});
