import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AuthDeps } from '../../src/auth/auth-deps.ts';
import { createInvite } from '../../src/service/invites/create-invite.ts';
import { disablePersonScript } from '../../src/service/people/disable-person.ts';
import { registerPersonScript } from '../../src/service/people/register-person.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { type AuthUnderTest, ada, baseUrl, cookieOf, jsonOf, startAuth } from './support/start-auth.ts';
import { startProvider } from './support/start-provider.ts';

const provider = await startProvider();
provider.serve(baseUrl);
const server = await startAuth({ signup: 'closed', provider: provider.settings });
after(() => Promise.all([provider[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

type Server = Pick<AuthUnderTest, 'auth' | 'post' | 'get'>;

const grace = { sub: 'grace', email: 'Grace@example.com', email_verified: true, name: 'Grace Hopper' };
const alan = { sub: 'alan', email: 'alan@example.com', email_verified: true, name: 'Alan' };

const withRule = (signup: AuthDeps['signup']) =>
  server.another({ provider: { ...provider.settings, signup } });

/** Begins a sign-in and goes through the provider, up to the callback. */
async function goThere(on: Server, body: object = {}, path = 'sign-in/provider', session = '') {
  const begun = await on.post(path, body, { cookie: session });
  const { url } = await jsonOf(begun);
  const back = await provider.authorize(url);
  return { query: back.searchParams, cookie: `${cookieOf(begun)}; ${session}` };
}

const comeBack = (on: Server, { query, cookie }: { query: URLSearchParams; cookie: string }) =>
  on.get('callback/oidc', { query: String(query), cookie });

async function signIn(person: typeof grace, body: object = {}, on: Server = server) {
  provider.person = person;
  return comeBack(on, await goThere(on, body));
}

/** The cookies of a response, without the one of the sign-in attempt. */
const sessionOf = (response: Response) => cookieOf(response).replace(/stoa\.oauth_state=(; )?/, '');

const callerOf = (response: Response) =>
  server.auth.authenticate({ apiKey: null, cookie: sessionOf(response) });

function assertRejected(response: Response, code: string): void {
  assert.equal(response.status, 302);
  assert.equal(new URL(response.headers.get('location') ?? '').searchParams.get('refused'), code);
  const cookies = response.headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'));
  assert.deepEqual(cookies, []);
}

test('the rule for sign-ups applies to users who come by the provider', async () => {
  const [closed, first] = [withRule('closed'), withRule('first')];
  assertRejected(await signIn(grace, {}, closed), 'sign_up_closed');
  const owner = await callerOf(await signIn(grace, {}, first));
  await callerOf(await signIn(grace, {}, closed));
  const rejected = await signIn(alan, { next: '/invite/x' }, first);
  assertRejected(rejected, 'sign_up_closed');
  const expected = `${baseUrl}/signin?next=%2Finvite%2Fx&refused=sign_up_closed`;
  assert.equal(rejected.headers.get('location'), expected);
  const deps = { ...server.deps, seedWorkspaces: false };
  const { id } = await createWorkspace(deps, owner, { name: 'Notes', icon: null, color: null });
  const { token } = await createInvite(deps, owner, { workspaceId: id });
  assertRejected(await signIn(alan, { inviteToken: `${token}x` }, first), 'sign_up_closed');
  assertRejected(await signIn(alan, { inviteToken: token }, closed), 'sign_up_closed');
  await callerOf(await signIn(alan, { inviteToken: token }, first));
});

test('a user who signs in by the provider twice is the same person', async () => {
  const response = await signIn(grace, { next: '/w/1?x=y' });
  assert.equal(response.headers.get('location'), `${baseUrl}/w/1?x=y`);
  assert.match(response.headers.getSetCookie().join('\n'), /oauth_state=;.*Max-Age=0/);
  const first = await callerOf(response);
  assert.equal(first.actor.userName, 'Grace Hopper');
  const person = await server.deps.store.reader.users.find(first.actor.userId);
  assert.equal(person?.email, 'grace@example.com');
  const again = await signIn({ ...grace, email: 'elsewhere@example.com', name: 'G.' });
  const second = await callerOf(again);
  assert.deepEqual(second.actor, first.actor);
  const ways = await server.get('sign-in-ways', { cookie: sessionOf(again) });
  assert.deepEqual(await jsonOf(ways), { password: false, provider: true });
  assert.deepEqual(server.problems, []);
});

test('an address that the provider has not verified, or that has an account, gives no access', async () => {
  for (const person of [
    { sub: 'a', email: 'a@example.com', email_verified: false },
    { sub: 'a', email: 'a@example.com', email_verified: 'true' },
    { sub: 'a', email: 'a@example.com' },
    { sub: 'a', email_verified: true },
  ]) {
    provider.person = person;
    assertRejected(await comeBack(server, await goThere(server)), 'email_not_verified');
  }
  await addAda(server);
  assertRejected(await signIn({ ...grace, sub: 'ada', email: ada.email }), 'account_exists');
});

test('a signed-in user links the provider once, and signs in by it afterwards', async () => {
  const session = sessionOf(await signIn(grace));
  const { actor } = await server.auth.authenticate({ apiKey: null, cookie: session });
  await assert.rejects(server.post('link-provider', {}), { code: 'unauthorized' });
  const link = async (person: { readonly sub: string }) => {
    provider.person = person;
    return goThere(server, { next: '/account' }, 'link-provider', session);
  };
  // The address that the provider reports does not matter: the user is signed in at both.
  for (let time = 0; time < 2; time += 1) {
    const linked = await comeBack(server, await link({ sub: 'grace-at-work' }));
    assert.equal(linked.headers.get('location'), `${baseUrl}/account`);
    assert.doesNotMatch(linked.headers.getSetCookie().join(), /session_token/);
  }
  const atWork = await signIn({ ...grace, sub: 'grace-at-work' });
  assert.equal((await callerOf(atWork)).actor.userId, actor.userId);

  const taken = await comeBack(server, await link(alan));
  assertRejected(taken, 'linked_elsewhere');
  assert.match(taken.headers.get('location') ?? '', /^http:..127.0.0.1:4700.account\?refused=/);

  const begun = await link({ sub: 'left' });
  const signedOut = begun.cookie.replace(/stoa[^;]*\.session_token=[^;]*/, '');
  assertRejected(await comeBack(server, { ...begun, cookie: signedOut }), 'session_changed');
  const other = sessionOf(await signIn(alan));
  const changed = await link({ sub: 'left' });
  assertRejected(
    await comeBack(server, { ...changed, cookie: changed.cookie.replace(session, other) }),
    'session_changed',
  );
});

test("only the response to this browser's own sign-in makes a session", async () => {
  provider.person = grace;
  const there = await goThere(server);
  const changed = (name: string, value: string | null) => {
    const query = new URLSearchParams(there.query);
    if (value === null) query.delete(name);
    else query.set(name, value);
    return comeBack(server, { ...there, query });
  };
  assertRejected(await changed('state', 'another'), 'failed');
  assertRejected(await changed('state', null), 'failed');
  assertRejected(await changed('iss', 'https://elsewhere.example'), 'failed');
  assertRejected(await changed('iss', null), 'failed');
  assertRejected(await changed('code', 'another'), 'failed');
  assertRejected(await changed('code', null), 'failed');
  assertRejected(await changed('error', 'access_denied'), 'failed');
  assertRejected(await comeBack(server, { ...there, cookie: '' }), 'failed');
  // The cookie of another browser's sign-in.
  assertRejected(await comeBack(server, { ...there, cookie: (await goThere(server)).cookie }), 'failed');
  assert.equal((await comeBack(server, there)).headers.has('set-cookie'), true);
  // A replay: the client kept the cookie although the response removed it.
  assertRejected(await comeBack(server, there), 'failed');
});

test('a token that is not meant for this sign-in makes no session', async () => {
  provider.person = { ...grace, sub: 'hedy', email: 'hedy@example.com' };
  const { resign } = provider;
  const comeWith = async (tamper: typeof provider.tamper) => {
    provider.tamper = tamper;
    return comeBack(server, await goThere(server));
  };
  const wrong = { nonce: ['another', undefined], aud: ['another'], iss: ['http://127.0.0.1'], exp: [1] };
  for (const [claim, values] of Object.entries(wrong)) {
    for (const value of values) {
      const response = await comeWith((token) => resign(token, { [claim]: value }));
      assertRejected(response, 'failed');
    }
  }
  assertRejected(await comeWith(({ id_token: _, ...response }) => response), 'failed');
  assertRejected(await comeWith((response) => resign(response, {}, true)), 'failed');
  // The subject of the token and of the user info must be the same.
  assertRejected(await comeWith((response) => resign(response, { sub: 'ada' })), 'failed');
  // The same with a token that has nothing wrong in it.
  const email = 'in@token.example';
  await callerOf(await comeWith((response) => resign(response, { email, email_verified: true })));
  const { users } = server.deps.store.reader;
  assert.equal(await users.findByEmail('hedy@example.com'), null);
  assert.notEqual(await users.findByEmail(email), null);
  provider.tamper = null;
});

test('rejects an invented next page, too many attempts and an unreachable provider', async () => {
  const limited = server.another({ signinLimit: 3 });
  for (const next of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 7]) {
    await assert.rejects(limited.post('sign-in/provider', { next }), { code: 'invalid_request' });
  }
  for (let attempt = 0; attempt < 3; attempt += 1) await limited.post('sign-in/provider', {});
  await assert.rejects(limited.post('sign-in/provider', {}), { code: 'rate_limited' });
  const callback = {
    query: new URLSearchParams({ state: 'x', code: 'x', iss: provider.settings.issuer }),
    cookie: '',
  };
  for (let attempt = 0; attempt < 3; attempt += 1)
    assertRejected(await comeBack(limited, callback), 'failed');
  assertRejected(await comeBack(limited, callback), 'rate_limited');

  const issuer = provider.settings.issuer.replace('127.0.0.1', 'localhost');
  const misnamed = server.another({ provider: { ...provider.settings, issuer } });
  await assert.rejects(misnamed.post('sign-in/provider', {}), { code: 'provider_unreachable' });
  assert.match(server.problems.at(-1) ?? '', /provider cannot be used/);
  const without = server.another({ provider: null });
  await assert.rejects(without.post('sign-in/provider', {}), { code: 'route_not_found' });
  await assert.rejects(without.get('callback/oidc'), { code: 'route_not_found' });
});

test('keys come from the document that was checked, whatever a second response says', async () => {
  let responses = 0;
  const elsewhere = 'http://127.0.0.1:1/keys';
  provider.rediscover = (document) => {
    responses += 1;
    return responses === 1 ? document : { ...document, jwks_uri: elsewhere };
  };
  const fresh = server.another({ provider: provider.settings });
  await callerOf(await signIn({ ...grace, sub: 'again', email: 'again@example.com' }, {}, fresh));
  assert.ok(responses > 1);
  provider.rediscover = (document) => ({ ...document, jwks_uri: 'http://elsewhere.example/keys' });
  const unsafe = server.another({ provider: provider.settings });
  await assert.rejects(unsafe.post('sign-in/provider', {}), { code: 'provider_unreachable' });
  provider.rediscover = null;
});

test('a disabled user gets an error that says so, and no session', async () => {
  const { actor } = await callerOf(await signIn(grace));
  await server.deps.store.transact(disablePersonScript, { userId: actor.userId, now: 1 });
  assertRejected(await signIn(grace), 'account_disabled');
});

/** Adds an account with a password. No test signs in with that password. */
async function addAda({ deps }: AuthUnderTest): Promise<void> {
  const { email, name } = ada;
  const ids = { userId: 'user_ada', accountRowId: 'account_ada' };
  const registrar = { kind: 'operator' } as const;
  const person = { ...ids, email, name, passwordHash: 'x', registrar, createdAt: 1 };
  await deps.store.transact(registerPersonScript, person);
}
