import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { createKey } from '../../src/service/keys/create-key.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';
import { executeLibraryStatementScript } from '../../src/service/people/execute-library-statement.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { addMember } from '../support/signed-in.ts';
import { openInstallation } from './support/admin-process.ts';

/** One installation for all: each test has people and workspaces of its own. */
const server = await openInstallation();
after(() => server[Symbol.asyncDispose]());
const { auth, service } = server.deps;
const { store } = service;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly caller: Caller;
  readonly cookie: string;
}

let made = 0;
const password = 'analytical engine';

/** An account made by the command, and signed in. */
async function newPerson(name: string): Promise<Person> {
  made += 1;
  const email = `${name.toLowerCase()}${made}@example.com`;
  const args = ['user', 'create', '--email', email, '--name', name, '--password-stdin', '--json'];
  const { id } = JSON.parse((await server.admin(args, password)).out).user;
  const cookie = cookieOf(await signIn(email, password));
  const caller = await auth.authenticate({ apiKey: null, cookie });
  return { id, email, caller, cookie };
}

function post(path: string, body: unknown): Promise<Response> {
  // Each person comes from a network of their own: attempts are counted by address.
  const clientAddress = `10.${made}.0.1`;
  const from = { cookie: null, userAgent: null, origin: null, secFetchSite: null, clientAddress };
  return auth.answer({ method: 'POST', path, query: '', body, ...from });
}

const signIn = (email: string, secret: string) => post('sign-in/email', { email, password: secret });

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

async function newWorkspace({ caller }: Person, name = 'Notes'): Promise<string> {
  return (await createWorkspace(service, caller, { name, icon: null, color: null })).id;
}

/** A folder that is not there yet may be private already. */
async function newPrivateItem(workspaceId: string, { caller }: Person, at: string): Promise<void> {
  const access = await openWorkspace(service, caller, workspaceId);
  await setNodePrivate(service, access, { path: parseWorkspacePath(at), kind: 'folder', private: true });
}

const done = async (...args: readonly string[]) => {
  const { code, out, err } = await server.admin([...args, '--json']);
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out);
};

const rejected = async (...args: readonly string[]) => {
  const { code, out, err } = await server.admin(args);
  assert.deepEqual([code, out], [1, '']);
  return err;
};

const rejection = (code: string) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === code;

test('a disabled user has no access, and kept credentials work again once the user is enabled', async () => {
  const bob = await newPerson('Bob');
  const key = await createKey(service, bob.caller, {});
  const withKey = () => auth.authenticate({ apiKey: key.secret, cookie: null });
  await withKey();
  const { user, ended } = await done('user', 'disable', bob.email);
  assert.deepEqual([user.id, typeof user.disabledAt], [bob.id, 'string']);
  assert.deepEqual(ended, { sessions: 1, invites: 0, deviceCodes: 0 });
  await assert.rejects(withKey(), { code: 'invalid_api_key', details: { reason: 'KEY_DISABLED' } });
  await assert.rejects(auth.authenticate({ apiKey: null, cookie: bob.cookie }), rejection('unauthorized'));
  await assert.rejects(signIn(bob.email, password), rejection('account_disabled'));
  assert.equal((await signIn(bob.email, 'wrong password')).status, 401);
  await assert.rejects(createWorkspace(service, bob.caller, { name: 'x', icon: null, color: null }), {
    code: 'unauthorized',
  });
  const [listed] = JSON.parse((await server.admin(['user', 'list', '--json'])).out).users.filter(
    ({ id }: { id: string }) => id === bob.id,
  );
  assert.equal(listed.disabledAt, user.disabledAt);
  assert.match(await rejected('user', 'reset-link', bob.id), /is disabled; `npm run admin -- user enable/);

  await done('user', 'enable', bob.id);
  await withKey();
  assert.equal((await signIn(bob.email, password)).status, 200);
  // The old session does not come back.
  await assert.rejects(auth.authenticate({ apiKey: null, cookie: bob.cookie }), rejection('unauthorized'));
});

test('sessions end by command, and keys stay valid', async () => {
  const bob = await newPerson('Bob');
  const key = await createKey(service, bob.caller, {});
  await signIn(bob.email, password);
  assert.equal((await done('user', 'end-sessions', bob.id)).sessions, 2);
  await assert.rejects(auth.authenticate({ apiKey: null, cookie: bob.cookie }), rejection('unauthorized'));
  await auth.authenticate({ apiKey: key.secret, cookie: null });
});

test('a new password replaces the old one and ends every session', async () => {
  const bob = await newPerson('Bob');
  const response = await done('user', 'set-password', bob.id);
  assert.equal(response.sessions, 1);
  assert.equal((await signIn(bob.email, password)).status, 401);
  assert.equal((await signIn(bob.email, response.password)).status, 200);
  const short = await server.admin(['user', 'set-password', bob.id, '--password-stdin'], 'short\n');
  assert.match(short.err, /^password must have 8 to 128 characters/);
  const { out } = await server.admin(['user', 'set-password', bob.id, '--password-stdin'], 'another horse\n');
  assert.doesNotMatch(out, /another horse/);
  assert.equal((await signIn(bob.email, 'another horse')).status, 200);
});

test('a link for a new password works once, until it expires or another one replaces it', async () => {
  const bob = await newPerson('Bob');
  const newLink = async () => String((await done('user', 'reset-link', bob.id)).url);
  const reset = (url: string, secret: string) =>
    post('reset-password', { token: url.split('#')[1], password: secret });
  const [replaced, link] = [await newLink(), await newLink()];
  assert.match(link, /^http:\/\/127\.0\.0\.1:4700\/reset#[\w-]{43}$/);
  // A copy of the database does not have it.
  const kept = await store.reader.library.select('select * from "verification"', []);
  assert.ok(!JSON.stringify(kept).includes(link.split('#')[1] ?? '?'));
  await assert.rejects(reset(replaced, 'another horse'), rejection('reset_link_gone'));
  await assert.rejects(reset('#nonsense', 'another horse'), rejection('reset_link_gone'));
  await assert.rejects(reset(link, 'short'), rejection('invalid_request'));
  // Only one of two concurrent uses succeeds.
  const both = await Promise.allSettled([reset(link, 'another horse'), reset(link, 'another horse')]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assert.rejects(auth.authenticate({ apiKey: null, cookie: bob.cookie }), rejection('unauthorized'));
  assert.equal((await signIn(bob.email, 'another horse')).status, 200);
  await assert.rejects(reset(link, 'a third horse'), rejection('reset_link_gone'));

  const late = await newLink();
  const sql = `update "verification" set "expiresAt" = '2000-01-01T00:00:00.000Z' where "value" = ?`;
  await store.transact(executeLibraryStatementScript, { sql, parameters: [bob.id] });
  await assert.rejects(reset(late, 'a third horse'), rejection('reset_link_gone'));
  assert.match(await rejected('user', 'reset-link', bob.id, '--hours', '169'), /1 to 168/);
});

test('the last owner and a member with private items are removed only after a hand-over', async () => {
  const [bob, ada] = [await newPerson('Bob'), await newPerson('Ada')];
  const owned = await newWorkspace(bob, 'Plans');
  const joined = await newWorkspace(ada, 'Team');
  await addMember(store, joined, bob.id);
  await newPrivateItem(joined, bob, 'diary');
  const without = await newWorkspace(ada, 'Left');
  assert.match(
    await rejected('user', 'remove', bob.id),
    /cannot be undone: run the command again with --yes/,
  );
  const rejectedText = await rejected('user', 'remove', bob.id, '--yes');
  assert.match(rejectedText, /^Nothing was removed\.$/m);
  assert.ok(rejectedText.includes(`  ${owned}  Plans`));
  assert.ok(rejectedText.includes(`  ${joined}  Team  1`));
  assert.ok(rejectedText.includes(`npm run admin -- user hand-over ${bob.id} --to <user> --yes`));
  await auth.authenticate({ apiKey: null, cookie: bob.cookie });

  // A user who still has access keeps their items.
  const handOver = ['user', 'hand-over', bob.id, '--to', ada.email];
  assert.match(await rejected(...handOver, '--yes'), /still has access; `npm run admin -- user disable/);
  await done('user', 'disable', bob.id);
  assert.match(await rejected(...handOver), /with --yes/);
  assert.match(await rejected('user', 'hand-over', ada.id, '--to', bob.id, '--yes'), /still has access/);
  const { workspaces } = await done(...handOver, '--yes');
  const ownership = (id: string) =>
    workspaces.find((each: { workspaceId: string }) => each.workspaceId === id);
  assert.deepEqual(ownership(owned), {
    workspaceId: owned,
    name: 'Plans',
    ownership: true,
    items: 0,
    itemsLeft: 0,
  });
  assert.deepEqual([ownership(joined).ownership, ownership(joined).items], [false, 1]);
  assert.equal(ownership(without), undefined);
  const roles = new Map((await store.reader.members.listOf(owned)).map(({ userId, role }) => [userId, role]));
  assert.deepEqual([roles.get(ada.id), roles.get(bob.id)], ['owner', 'member']);
  assert.equal(
    (await store.reader.nodes.decidingPrivacy(joined, parseWorkspacePath('diary')))?.ownerId,
    ada.id,
  );
  assert.deepEqual((await done(...handOver, '--yes')).workspaces, []);

  const removed = await done('user', 'remove', bob.id, '--yes');
  assert.deepEqual([removed.removed.id, removed.workspaces], [bob.id, 2]);
  assert.deepEqual(
    (await store.reader.members.listOf(owned)).map(({ userId }) => userId),
    [ada.id],
  );
  assert.equal((await signIn(bob.email, password)).status, 401);
  assert.match(await rejected('user', 'remove', bob.id, '--yes'), /^no account user_/);
  const checked = await server.admin(['check', '--json']);
  assert.equal(checked.code, 0, checked.out);
});

test('items in a workspace without the receiver as a member stay, and the output says where', async () => {
  const [bob, ada, carl] = [await newPerson('Bob'), await newPerson('Ada'), await newPerson('Carl')];
  const workspaceId = await newWorkspace(carl);
  await addMember(store, workspaceId, bob.id);
  await newPrivateItem(workspaceId, bob, 'diary');
  await done('user', 'disable', bob.id);
  const { code, out } = await server.admin(['user', 'hand-over', bob.id, '--to', ada.id, '--yes']);
  assert.equal(code, 0);
  assert.match(out, /is not a member of the workspaces with items that were left/);
  assert.ok(out.includes(`npm run admin -- privacy list ${workspaceId}`));
  const { items } = await done('privacy', 'list', workspaceId);
  assert.deepEqual(
    items.map(({ path }: { path: string }) => path),
    ['diary'],
  );
  await done('privacy', 'reclaim', workspaceId, 'diary', '--to', carl.id);
  assert.equal((await done('user', 'remove', bob.id, '--yes')).workspaces, 1);
});

test("a removed user's credentials give no access and are deleted", async () => {
  const [bob, ada] = [await newPerson('Bob'), await newPerson('Ada')];
  const workspaceId = await newWorkspace(ada);
  await addMember(store, workspaceId, bob.id);
  const keys = [
    await createKey(service, bob.caller, {}),
    await createKey(service, bob.caller, { workspaceId }),
  ];
  await done('user', 'reset-link', bob.id);
  assert.equal((await done('user', 'remove', bob.email, '--yes')).keys, 2);
  for (const { secret } of keys) {
    await assert.rejects(auth.authenticate({ apiKey: secret, cookie: null }), rejection('invalid_api_key'));
  }
  await assert.rejects(auth.authenticate({ apiKey: null, cookie: bob.cookie }), rejection('unauthorized'));
  for (const [table, column] of [
    ['session', 'userId'],
    ['account', 'userId'],
    ['verification', 'value'],
    ['api_key', 'user_id'],
    ['member', 'user_id'],
  ] as const) {
    const rows = await store.reader.library.select(`select 1 from "${table}" where "${column}" = ?`, [
      bob.id,
    ]);
    assert.deepEqual(rows, [], table);
  }
});

test('users are found by id and by e-mail address, and an error says how to list them', async () => {
  for (const name of ['disable', 'enable', 'end-sessions', 'set-password', 'reset-link']) {
    assert.match(await rejected('user', name, 'user_x'), /^no account user_x; `npm run admin -- user list`/);
  }
  assert.match(await rejected('user', 'remove', 'x@example.com', '--yes'), /^no account x@example\.com;/);
});

test('an account that is named by address is shown, and the operator is asked whether it is meant', async () => {
  const { id, email } = await newPerson('Eve');
  for (const words of [
    ['user', 'reset-link', email.toUpperCase()],
    ['user', 'set-password', email],
    ['user', 'end-sessions', email],
    ['user', 'enable', email],
    ['user', 'hand-over', email, '--to', email, '--yes'],
    ['user', 'remove', email, '--yes'],
    ['user', 'disable', email],
    ['privacy', 'reclaim', 'ws_none', 'a.md', '--to', email],
  ]) {
    const denied = await server.admin(words, '', store, false);
    assert.deepEqual([denied.code, denied.out], [1, ''], words.join(' '));
    assert.match(denied.err, /Nothing was done/);
  }
  assert.equal((await store.reader.users.find(id))?.disabledAt, null);
  const unasked = await server.admin(['user', 'reset-link', email], '', store, null);
  assert.equal(unasked.code, 0);
  assert.ok(unasked.err.startsWith(`${id} "Eve" <${email}>, made `), unasked.err);
  assert.match(unasked.err, /by an operator.*not verified/);
  const byId = await server.admin(['user', 'reset-link', id], '', store, false);
  assert.deepEqual([byId.code, byId.err], [0, '']);
});

test('an import takes accounts by id alone, lists who gets what, and asks', async () => {
  const [ann, own] = [await newPerson('Ann'), await newPerson('Own')];
  const file = join(tmpdir(), `stoa-import-${process.pid}.tar`);
  const people = join(tmpdir(), `stoa-people-${process.pid}`);
  try {
    await done('export', await newWorkspace(ann, 'Exported'), file);
    assert.match(
      await rejected('import', file, '--owner', own.email, '--yes'),
      new RegExp(`--owner takes the id of an account.*It is ${own.id} "Own".*not verified`),
    );
    assert.match(await rejected('import', file, '--yes'), /no owner.*1 "Ann"/);

    const words = ['import', file, '--owner', own.id];
    const unasked = await server.admin(words, '', store, null);
    assert.deepEqual([unasked.code, unasked.out], [1, '']);
    assert.ok(unasked.err.includes(`its owner is ${own.id} "Own" <${own.email}>, made `), unasked.err);
    assert.ok(unasked.err.includes(`1 "Ann" <${ann.email}> becomes a former member`), unasked.err);
    assert.match(unasked.err, /--yes/);
    const denied = await server.admin(words, '', store, false);
    assert.deepEqual([denied.code, denied.out], [1, '']);
    const { workspaces } = await done('workspace', 'list');
    assert.equal(workspaces.filter(({ name }: { name: string }) => name === 'Exported').length, 1);

    // Ann's address has an account here, which gets nothing by that.
    const { workspaceId, knownPeople } = await done(...words);
    assert.equal(knownPeople, 0);
    const members = await store.reader.members.listOf(workspaceId);
    assert.deepEqual(
      members.map(({ userId }) => userId),
      [own.id],
    );
    await writeFile(people, `${ann.email} ${own.id}\n`);
    const mapped = await done('import', file, '--people', people, '--yes');
    assert.equal(mapped.knownPeople, 1);
  } finally {
    await rm(people, { force: true });
    await rm(file, { force: true });
  }
});
