import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createShareKeys, hashShareToken } from '../../src/service/shares/share-keys.ts';

const keys = createShareKeys('a secret of the server');
const others = createShareKeys('another secret');
const share = { id: 'share_1', passwordHash: 'salt:key' };

test('a token is the same each time, and none without the secret', () => {
  const token = keys.tokenOf('share_1');
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(keys.tokenOf('share_1'), token);
  assert.notEqual(keys.tokenOf('share_2'), token);
  assert.notEqual(others.tokenOf('share_1'), token);
  assert.equal(hashShareToken(token), hash('sha256', token));
  assert.equal(hashShareToken(`${token}x`), null);
});

test('an address is shown only when it would open the link', () => {
  const tokenHash = hash('sha256', keys.tokenOf('share_1'));
  assert.equal(keys.shownTokenOf({ id: 'share_1', tokenHash }), keys.tokenOf('share_1'));
  assert.equal(others.shownTokenOf({ id: 'share_1', tokenHash }), null);
});

test('a ticket says what it was sealed with, and cannot be changed', () => {
  for (const viewerId of ['user_1', null]) {
    const ticket = { shareId: 'share_1', viewerId, expiresAt: 1_800_000_000_000 };
    const sealed = keys.sealTicket(ticket);
    assert.deepEqual(keys.openTicket(sealed), ticket);
    assert.equal(others.openTicket(sealed), null);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === '1' ? '2' : '1';
      assert.equal(keys.openTicket(sealed.slice(0, at) + other + sealed.slice(at + 1)), null);
    }
  }
  for (const text of ['', '.', '1..s.', 'x'.repeat(10_000)]) assert.equal(keys.openTicket(text), null);
});

test('a proof holds for its link and its password alone', () => {
  const proof = keys.proveUnlocked(share, 1000);
  assert.equal(keys.readProof(share, proof), 1000);
  assert.equal(keys.readProof({ ...share, id: 'share_2' }, proof), null);
  assert.equal(keys.readProof({ ...share, passwordHash: 'salt:other' }, proof), null);
  assert.equal(keys.readProof(share, proof.replace('1000', '9000')), null);
});
