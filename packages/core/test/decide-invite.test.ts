import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admits, isInviteOpen } from '@stoa/core';

const invite = { createdAt: 1000, expiresAt: 2000, usesLeft: null };

test('an invite is open until it expires or its uses run out', () => {
  assert.equal(isInviteOpen(invite, 1999), true);
  assert.equal(isInviteOpen(invite, 2000), false);
  assert.equal(isInviteOpen({ ...invite, usesLeft: 1 }, 1500), true);
  assert.equal(isInviteOpen({ ...invite, usesLeft: 0 }, 1500), false);
});

test('a removed member cannot return with an invite made before the removal', () => {
  assert.equal(admits(invite, null, 1500), true);
  assert.equal(admits(invite, 1400, 1500), false);
  assert.equal(admits(invite, 900, 1500), true);
});

test('an invite made after a removal expires like any other', () => {
  assert.equal(admits(invite, 900, 2000), false);
});
