import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideShareOptions, mayManageShare, memberRoles, type ShareOptions } from '@stoa/core';

const plain: ShareOptions = {
  kind: 'file',
  access: 'member',
  hasPassword: false,
  allowScripts: false,
  via: 'key',
};

test('a key can create only a plain member link', () => {
  assert.equal(decideShareOptions(plain).kind, 'allowed');
  for (const more of [{ access: 'public' }, { hasPassword: true }, { allowScripts: true }] as const) {
    assert.equal(decideShareOptions({ ...plain, ...more }).kind, 'needs_session');
    assert.equal(decideShareOptions({ ...plain, ...more, via: 'session' }).kind, 'allowed');
  }
});

test('a link to a folder never allows scripts', () => {
  for (const via of ['key', 'session'] as const) {
    const options = { ...plain, kind: 'folder', allowScripts: true, via } as const;
    assert.equal(decideShareOptions(options).kind, 'folder_scripts');
  }
});

test('members manage their own links, owners and admins manage all', () => {
  const able = memberRoles.map((role) => [
    role,
    mayManageShare({ role, isCreator: false }),
    mayManageShare({ role, isCreator: true }),
  ]);
  assert.deepEqual(able, [
    ['owner', true, true],
    ['admin', true, true],
    ['member', false, true],
  ]);
});
