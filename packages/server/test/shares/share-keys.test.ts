import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createShareKeys, hashShareToken } from '../../src/service/shares/share-keys.ts';

const keys = createShareKeys('a secret of the server');
const others = createShareKeys('another secret');
const share = { id: 'share_1', passwordHash: 'salt:key' };

test('a token is the same each time, and depends on the secret', () => {
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

test('the mark of a counted view is valid for its link only, and cannot be changed', () => {
  const mark = keys.markViewed('share_1', 1000);
  assert.equal(keys.readViewed('share_1', mark), 1000);
  assert.equal(keys.readViewed('share_2', mark), null);
  assert.equal(keys.readViewed('share_1', mark.replace('1000', '9000')), null);
  assert.equal(others.readViewed('share_1', mark), null);
  assert.equal(keys.readProof({ id: 'share_1', passwordHash: null }, mark), null);
});

test('a pass opens one file of one link, does not show its user, and cannot be changed', () => {
  const file = { shareId: 'share_1', below: 'a b/c.html' };
  const viewer = { via: 'session', credentialId: 'session_1', userId: 'user_1' } as const;
  for (const pass of [
    { viewer, expiresAt: 1_800_000_000_000 },
    { viewer: { ...viewer, via: 'key' as const }, expiresAt: 5 },
    { viewer: null, expiresAt: 7 },
  ]) {
    const sealed = keys.sealPass(file, pass);
    assert.deepEqual(keys.openPass(file, sealed), pass);
    assert.equal(keys.openPass({ ...file, below: 'a b/d.html' }, sealed), null);
    assert.equal(keys.openPass({ ...file, shareId: 'share_2' }, sealed), null);
    assert.equal(others.openPass(file, sealed), null);
    const bytes = Buffer.from(sealed, 'base64url');
    for (const hidden of ['user_1', 'session_1']) assert.ok(!bytes.includes(hidden));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(keys.openPass(file, changed.toString('base64url')), null);
    }
  }
  for (const text of ['', '.', 'a'.repeat(40), 'x'.repeat(10_000)])
    assert.equal(keys.openPass(file, text), null);
});

test('a proof is valid only for its link and its password', () => {
  const proof = keys.proveUnlocked(share, 1000);
  assert.equal(keys.readProof(share, proof), 1000);
  assert.equal(keys.readProof({ ...share, id: 'share_2' }, proof), null);
  assert.equal(keys.readProof({ ...share, passwordHash: 'salt:other' }, proof), null);
  assert.equal(keys.readProof(share, proof.replace('1000', '9000')), null);
});
