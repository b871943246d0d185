import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import type { OpenedStore } from '../metadata-store-suite.ts';
import { createStoreDriver, path } from '../support/store-driver.ts';
import { type Step, stepsScript } from '../support/store-scripts.ts';

const userStep = (id: string, name: string, createdAt: number): Step => [
  'insertUser',
  { id, name, email: `${id}@example.org`, accountRowId: `acc_${id}`, passwordHash: 'hash', createdAt },
];

export function credentialCases(store: () => MetadataStore, open: () => Promise<OpenedStore>): void {
  it('a key is found by its secret with its owner, and still after it was revoked', async () => {
    const driver = await createStoreDriver(store());
    const id = driver.workspaceId;
    await driver.run(userStep(`us_${id}`, 'Ada', 1));
    const key = {
      id: `key_${id}`,
      secretHash: `hash ${id}`,
      userId: `us_${id}`,
      workspaceId: null,
      name: 'laptop',
      start: 'stoa_abc',
      principal: 'agent',
      access: 'comment',
      path: path('a/ü'),
      expiresAt: 9,
      expiresInDays: 3,
      createdAt: 5,
    } as const;
    await driver.run(['insertKey', key], ['insertKey', { ...key, id: `key2_${id}`, secretHash: `2 ${id}` }]);
    const { secretHash, ...kept } = key;
    const fresh = { ...kept, disabled: false, deletedAt: null, lastUsedAt: null };
    const { keys } = store().reader;
    assert.deepEqual(await keys.findByHash(secretHash), { key: fresh, userName: 'Ada' });
    await driver.run(['revokeKey', key.id, 50], ['revokeKey', key.id, 60], ['touchKey', key.id, 70]);
    const revoked = { ...fresh, deletedAt: 50, lastUsedAt: 70 };
    assert.deepEqual(await keys.findByHash(secretHash), { key: revoked, userName: 'Ada' });
    assert.deepEqual(await keys.find(key.id), revoked);
    assert.deepEqual(
      (await keys.listOf(key.userId)).map((row) => row.id),
      [`key2_${id}`],
    );
    assert.equal(await keys.findByHash('unknown'), null);
  });

  it('a key of a disabled user is found as disabled, and the access status says the same', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const [userId, keyId] = [`us_${workspaceId}`, `key_${workspaceId}`];
    const key = { id: keyId, secretHash: keyId, userId, workspaceId: null, name: 'k', start: 's' };
    const grant = { access: 'write', path: '', expiresAt: null, expiresInDays: null } as const;
    await driver.run(userStep(userId, 'Ada', 1), [
      'insertKey',
      { ...key, ...grant, principal: 'agent', createdAt: 5 },
    ]);
    const { keys, members, users } = store().reader;
    const asks = async () => {
      const existing = await members.standing({ userId, workspaceId: null, keyId, sessionId: null });
      return [(await keys.findByHash(keyId))?.key.disabled, existing.key?.disabled];
    };
    assert.deepEqual(await asks(), [false, false]);
    await driver.run(['setUserDisabled', userId, 7]);
    assert.deepEqual(await asks(), [true, true]);
    assert.equal((await users.find(userId))?.disabledAt, 7);
    await driver.run(['setUserDisabled', userId, null]);
    assert.deepEqual(await asks(), [false, false]);
  });

  it('a link for a new password is used once, while it is valid', async () => {
    const driver = await createStoreDriver(store());
    const userId = `us_${driver.workspaceId}`;
    const row = { userId, createdAt: 10, expiresAt: 100 };
    const put = (tokenHash: string): Step => [
      'putPasswordReset',
      { ...row, id: `${tokenHash}_${userId}`, tokenHash: `${tokenHash}_${userId}` },
    ];
    const take = async (tokenHash: string, now: number) =>
      (await driver.run(['takePasswordReset', `${tokenHash}_${userId}`, now]))[0];
    await driver.run(userStep(userId, 'Ada', 1), put('a'), put('b'));
    assert.equal(await take('a', 50), null);
    assert.equal(await take('b', 100), null);
    assert.deepEqual(await take('b', 99), { userId });
    assert.equal(await take('b', 99), null);
    await driver.run(put('c'), ['endPasswordResetsOf', userId]);
    assert.equal(await take('c', 50), null);
    // A user who never had a password has one now.
    await driver.run(
      ['setPassword', { userId, accountRowId: `x_${userId}`, passwordHash: 'other', changedAt: 5 }],
      ['deleteUser', userId],
    );
    assert.equal(await store().reader.users.find(userId), null);
  });

  it('a provider account is of one user, and a user may have several of them and a password', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const [userId, otherId] = [`us_${workspaceId}`, `us2_${workspaceId}`];
    const signIn = (person: string, accountId: string) => ({
      userId: person,
      accountRowId: `${accountId}_${person}`,
      providerId: 'oidc',
      accountId: `${accountId} ${workspaceId}`,
      createdAt: 5,
    });
    const email = `${userId}@example.org`;
    await driver.run(
      ['insertUserOfProvider', { ...signIn(userId, 'home'), email, name: 'Ada' }],
      userStep(otherId, 'Ben', 1),
    );
    const { users } = store().reader;
    assert.deepEqual(await users.listSignIns(userId), ['oidc']);
    const password = { userId, accountRowId: `x_${userId}`, passwordHash: 'hash', changedAt: 6 };
    await driver.run(['insertProviderSignIn', signIn(userId, 'work')], ['setPassword', password]);
    for (const accountId of ['home', 'work']) {
      const found = await users.findBySignIn('oidc', `${accountId} ${workspaceId}`);
      assert.deepEqual(found, await users.find(userId));
    }
    assert.deepEqual([...(await users.listSignIns(userId))].sort(), ['credential', 'oidc', 'oidc']);
    assert.equal(await users.findBySignIn('elsewhere', `home ${workspaceId}`), null);
    await assert.rejects(driver.run(['insertProviderSignIn', signIn(otherId, 'home')]));
    assert.deepEqual(await users.listSignIns(otherId), ['credential']);
    await driver.run(['deleteUser', userId]);
    assert.equal(await users.findBySignIn('oidc', `home ${workspaceId}`), null);
  });

  it('one result has the role, key and session of a caller, each only if it is theirs', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const [userId, otherId] = [`us_${workspaceId}`, `us2_${workspaceId}`];
    const sessionId = `session_${workspaceId}`;
    const keyId = `key_${workspaceId}`;
    const key = { id: keyId, secretHash: keyId, userId, workspaceId: null, name: 'k', start: 's' };
    await driver.run(
      userStep(userId, 'Ada', 1),
      userStep(otherId, 'Ben', 1),
      ['insertMember', { workspaceId, userId, role: 'admin', createdAt: 1 }],
      [
        'insertKey',
        {
          ...key,
          principal: 'agent',
          access: 'read',
          path: path('a'),
          expiresAt: 9,
          expiresInDays: null,
          createdAt: 5,
        },
      ],
      ['revokeKey', keyId, 50],
      [
        'execute',
        `insert into "session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId")
          values (?, ?, ?, ?, ?, ?)`,
        [sessionId, '2026-11-20T14:30:00.000Z', sessionId, 'then', 'then', userId],
      ],
    );
    const existing = (asked: Partial<Record<'userId' | 'workspaceId' | 'keyId' | 'sessionId', string>>) =>
      store().reader.members.standing({ userId, workspaceId: null, keyId: null, sessionId: null, ...asked });
    const nothing = { role: null, key: null, sessionExpiresAt: null };
    assert.deepEqual(await existing({ workspaceId, keyId, sessionId }), {
      role: 'admin',
      key: { disabled: false, expiresAt: 9, deletedAt: 50, access: 'read', path: path('a') },
      sessionExpiresAt: Date.UTC(2026, 10, 20, 14, 30),
    });
    assert.deepEqual(await existing({}), nothing);
    assert.deepEqual(await existing({ workspaceId: 'ws_none', keyId: 'none', sessionId: 'none' }), nothing);
    assert.deepEqual(await existing({ userId: otherId, workspaceId, keyId, sessionId }), nothing);
    assert.deepEqual(await existing({ userId: 'nobody', workspaceId, keyId, sessionId }), nothing);
  });

  it('members come by role, then by name', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const people = [
      ['Zoe', 'owner'],
      ['Bob', 'member'],
      ['Abe', 'member'],
      ['Cid', 'admin'],
    ] as const;
    for (const [name, role] of people) {
      const userId = `us_${name}_${workspaceId}`;
      await driver.run(userStep(userId, name, 1), [
        'insertMember',
        { workspaceId, userId, role, createdAt: 1 },
      ]);
    }
    const members = await store().reader.members.listOf(workspaceId);
    assert.deepEqual(
      members.map(({ name, role, image }) => [name, role, image]),
      [
        ['Zoe', 'owner', ''],
        ['Cid', 'admin', ''],
        ['Abe', 'member', ''],
        ['Bob', 'member', ''],
      ],
    );
  });

  it('people are paged through in the order they came', async () => {
    await using opened = await open();
    const { users } = opened.store.reader;
    const steps = [userStep('us_b', 'B', 2000), userStep('us_c', 'C', 1000), userStep('us_a', 'A', 2000)];
    await opened.store.transact(stepsScript, { steps, ending: 'commit' });
    const page = async (afterId: string) => (await users.page(afterId, 2)).map(({ id }) => id);
    assert.deepEqual(await page(''), ['us_c', 'us_a']);
    assert.deepEqual(await page('us_a'), ['us_b']);
    assert.equal(await users.count(), 3);
    const expected = {
      id: 'us_c',
      name: 'C',
      email: 'us_c@example.org',
      image: null,
      disabledAt: null,
      createdAt: 1000,
    };
    assert.deepEqual(await users.findByEmail('us_c@example.org'), expected);
    assert.deepEqual(await users.find('us_c'), expected);
    assert.equal(await users.find('us_none'), null);
  });

  it('attempts are counted within a window and start again in the next', async () => {
    const driver = await createStoreDriver(store());
    const bucket = `bucket ${driver.workspaceId}`;
    const counted = await driver.run(
      ['countAttempt', bucket, 0, 60],
      ['countAttempt', bucket, 0, 60],
      ['countAttempt', `other ${bucket}`, 0, 60],
      ['countAttempt', bucket, 60, 120],
    );
    assert.deepEqual(counted, [1, 2, 1, 1]);
  });

  it('the sign-in library selects and changes its own rows', async () => {
    const driver = await createStoreDriver(store());
    const id = `us_${driver.workspaceId}`;
    await driver.run(userStep(id, 'Ada', 0));
    const update = 'update "user" set "name" = ? where "id" = ? returning "name"';
    const [returned, plain] = await driver.run(
      ['execute', update, ['Eve', id]],
      ['execute', 'update "user" set "image" = null where "id" = ?', ['us_none']],
    );
    assert.deepEqual(returned, { rows: [{ name: 'Eve' }], changedRows: 1 });
    assert.deepEqual(plain, { rows: [], changedRows: 0 });
    const select = 'select "name", "emailVerified", "createdAt" from "user" where "id" = ?';
    assert.deepEqual(await store().reader.library.select(select, [id]), [
      { name: 'Eve', emailVerified: 0, createdAt: '1970-01-01T00:00:00.000Z' },
    ]);
    const account =
      'select "providerId", "accountId", "userId", "password" from "account" where "userId" = ?';
    assert.deepEqual(await store().reader.library.select(account, [id]), [
      { providerId: 'credential', accountId: id, userId: id, password: 'hash' },
    ]);
    await assert.rejects(store().reader.library.select('delete from "user"', []));
    assert.equal((await store().reader.users.find(id))?.name, 'Eve');
  });
}
