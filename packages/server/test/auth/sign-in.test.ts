import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeLibraryStatementScript } from '../../src/service/people/execute-library-statement.ts';
import { ada, bob, cookieOf, jsonOf, startAuth } from './support/start-auth.ts';

const credentials = { email: ada.email, password: ada.password };
const unauthorized = { code: 'unauthorized' };

test('a program without Origin signs in and acts as the person', async () => {
  await using server = await startAuth();
  await server.post('sign-up/email', ada);
  const response = await server.post('sign-in/email', credentials);
  assert.equal(response.status, 200);
  const caller = await server.auth.authenticate({ apiKey: null, cookie: cookieOf(response) });
  assert.equal(caller.credential.via, 'session');
  assert.equal(caller.scopedTo, null);
  assert.equal(caller.actor.principal, 'human');
  assert.equal(caller.actor.keyId, null);
  assert.equal(caller.actor.keyLabel, null);
  assert.equal(caller.actor.userName, ada.name);
});

test('a wrong password and an unknown address get the same response', async () => {
  await using server = await startAuth();
  await server.post('sign-up/email', ada);
  const wrong = await server.post('sign-in/email', { ...credentials, password: 'difference engine' });
  const unknown = await server.post('sign-in/email', { ...credentials, email: bob.email });
  assert.equal(wrong.status, 401);
  assert.equal(unknown.status, 401);
  const body = await jsonOf(wrong);
  assert.equal(typeof body.message, 'string');
  assert.deepEqual(await jsonOf(unknown), body);
  assert.deepEqual(wrong.headers.getSetCookie(), []);
});

test('a signed-out session is over at the next request', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  assert.equal((await server.post('sign-out', {}, { cookie })).status, 200);
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie }), unauthorized);
});

test('get-session returns the signed-in user, and null without a session', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const session = await jsonOf(await server.get('get-session', { cookie }));
  assert.equal(session.user.email, ada.email);
  assert.equal(await jsonOf(await server.get('get-session')), null);
});

test('cookies that were not signed here give no session', async () => {
  await using server = await startAuth();
  const [cookie = ''] = cookieOf(await server.post('sign-up/email', ada)).split('; ');
  const forged = [
    '',
    'a=b',
    `${cookie.split('=', 1)[0]}=x`,
    `${cookie.split('=', 1)[0]}=%E0%A4%A`,
    cookie.replace(/^[^=]*/, 'stoa.session_token'),
    cookie.replace(/.{8}$/, 'AAAAAAAA'),
    `${cookie}x`,
  ];
  for (const text of forged) {
    await assert.rejects(server.auth.authenticate({ apiKey: null, cookie: text }), unauthorized, text);
  }
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie: null }), unauthorized);
});

test('the session cookie is out of reach of scripts and other sites', async () => {
  await using server = await startAuth();
  const [line = ''] = (await server.post('sign-up/email', ada)).headers.getSetCookie();
  assert.match(line, /^stoa-[0-9a-f]{8}\.session_token=/);
  assert.match(line, /; HttpOnly/i);
  assert.match(line, /; SameSite=Lax/i);
  assert.match(line, /; Path=\//i);
  assert.doesNotMatch(line, /; Secure|; Domain/i);
});

test('on https the cookie is bound to the host', async () => {
  const https = 'https://stoa.example';
  await using server = await startAuth({ baseUrl: https, trustedOrigins: [https] });
  const response = await server.post('sign-up/email', ada);
  const [line = ''] = response.headers.getSetCookie();
  assert.match(line, /^__Host-stoa\.session_token=/);
  assert.match(line, /; Secure/i);
  assert.match(line, /; Path=\//i);
  assert.doesNotMatch(line, /; Domain/i);
  const caller = await server.auth.authenticate({ apiKey: null, cookie: cookieOf(response) });
  assert.equal(caller.actor.userName, ada.name);
});

const [secret, another] = ['a'.repeat(40), 'b'.repeat(40)];
const neighbours = [
  [
    'on two ports',
    { baseUrl: 'http://127.0.0.1:4700', secret },
    { baseUrl: 'http://127.0.0.1:4710', secret: another },
  ],
  [
    'on two ports of https',
    { baseUrl: 'https://a.example:8443', secret },
    { baseUrl: 'https://a.example:9443', secret: another },
  ],
  ['on http and another port', { baseUrl: 'http://a.example' }, { baseUrl: 'http://a.example:4700' }],
  // Two containers whose operator maps the port without setting STOA_BASE_URL.
  ['that both name one port', { secret }, { secret: another }],
] as const;
for (const [title, ...both] of neighbours) {
  test(`two servers on one host ${title} share no cookie`, async () => {
    // A browser keeps cookies by host and name, whatever the port.
    const jar = new Map<string, string>();
    const keep = (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        jar.set(pair.slice(0, pair.indexOf('=')), pair);
      }
    };
    await using one = await startAuth({ ...both[0] });
    await using two = await startAuth({ ...both[1] });
    for (const server of [one, two]) keep(await server.post('sign-up/email', ada));
    for (const server of [one, two]) {
      keep(await server.post('sign-in/email', credentials, { cookie: [...jar.values()].join('; ') }));
    }
    const cookie = [...jar.values()].join('; ');
    for (const { auth } of [one, two]) {
      assert.equal((await auth.authenticate({ apiKey: null, cookie })).actor.userName, ada.name);
    }
    assert.equal([...jar.keys()].filter((name) => name.includes('session_token')).length, 2);
    assert.equal([...jar.keys()].filter((name) => name.includes('known')).length, 2);
  });
}

test('a server that moves to another port keeps its sessions', async () => {
  await using server = await startAuth({ baseUrl: 'http://127.0.0.1:4700' });
  const [line = ''] = (await server.post('sign-up/email', ada)).headers.getSetCookie();
  const cookie = line.split(';', 1)[0] ?? '';
  const { auth } = server.another({ baseUrl: 'http://127.0.0.1:4710' });
  assert.equal((await auth.authenticate({ apiKey: null, cookie })).actor.userName, ada.name);
});

test("another site's page cannot sign its visitor in", async () => {
  await using server = await startAuth();
  await server.post('sign-up/email', ada);
  await assert.rejects(
    server.post('sign-in/email', credentials, { origin: 'https://evil.example', secFetchSite: 'cross-site' }),
    { code: 'cross_site_request' },
  );
});

test('a changed password replaces the old one, and ends other sessions unless they are kept', async () => {
  await using server = await startAuth();
  const other = cookieOf(await server.post('sign-up/email', ada));
  const cookie = cookieOf(await server.post('sign-in/email', credentials));
  const newPassword = 'difference engine';
  const change = { currentPassword: ada.password, newPassword };
  const wrong = await server.post('change-password', { ...change, currentPassword: 'nonsense' }, { cookie });
  assert.equal(wrong.status, 400);
  const changed = await server.post('change-password', change, { cookie });
  assert.equal(changed.status, 200);
  assert.equal((await server.post('sign-in/email', credentials)).status, 401);
  const signedIn = await server.post('sign-in/email', { ...credentials, password: newPassword });
  assert.equal(signedIn.status, 200);
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie: other }), unauthorized);
  await assert.rejects(
    server.auth.authenticate({ apiKey: null, cookie }),
    unauthorized,
    'a new session is given',
  );
  await server.auth.authenticate({ apiKey: null, cookie: cookieOf(changed) });
  const back = { currentPassword: newPassword, newPassword: ada.password, revokeOtherSessions: false };
  const kept = cookieOf(changed);
  assert.equal((await server.post('change-password', back, { cookie: kept })).status, 200);
  await server.auth.authenticate({ apiKey: null, cookie: cookieOf(signedIn) });
});

test('a person changes their name and picture, and only to what is safe to show', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const image = 'https://example.com/ada.png';
  assert.equal((await server.post('update-user', { name: ' Countess ', image }, { cookie })).status, 200);
  const { user } = await jsonOf(await server.get('get-session', { cookie }));
  assert.deepEqual([user.name, user.image], ['Countess', image]);
  for (const body of [{ name: '' }, { name: 'a\u0000' }, { image: 'javascript:alert(1)' }, { image: 7 }]) {
    await assert.rejects(server.post('update-user', body, { cookie }), { code: 'invalid_request' });
  }
  assert.equal((await server.post('update-user', { name: 'Nobody' })).status, 401);
});

test('a person sees their sessions and ends one, or all others', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const holds = async (of: string) =>
    await server.auth.authenticate({ apiKey: null, cookie: of }).then(
      () => true,
      () => false,
    );
  const other = await server.post('sign-in/email', credentials);
  const { token } = await jsonOf(other);
  assert.equal((await server.post('revoke-session', { token }, { cookie })).status, 200);
  assert.equal(await holds(cookieOf(other)), false);
  const listed = await server.post('sign-in/email', credentials);
  const sessions = await jsonOf(await server.get('list-sessions', { cookie: cookieOf(listed) }));
  assert.equal(sessions.length, 2);
  const own = await jsonOf(await server.get('get-session', { cookie: cookieOf(listed) }));
  const [first] = sessions.filter(({ id }: { id: string }) => id !== own.session.id);
  const mallory = cookieOf(await server.post('sign-in/email', credentials));
  assert.equal(
    (await server.post('revoke-session', { token: first.token }, { cookie: mallory })).status,
    200,
  );
  assert.equal(await holds(cookie), false);
  assert.equal((await server.post('revoke-other-sessions', {}, { cookie: mallory })).status, 200);
  assert.equal(await holds(cookieOf(listed)), false);
  assert.equal(await holds(mallory), true);
  await assert.rejects(server.post('revoke-session', { token }), unauthorized);
  await assert.rejects(server.post('revoke-session', {}, { cookie: mallory }), { code: 'invalid_request' });
});

test('the database contains no token that gives access', async () => {
  await using server = await startAuth();
  const { store } = server.deps;
  const response = await server.post('sign-up/email', ada);
  const { token } = await jsonOf(response);
  const cookie = cookieOf(response);
  assert.ok(cookie.includes(token));
  const rows = await store.reader.library.select('select * from "session"', []);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token));
  const kept = String(rows[0]?.token);
  const stolen = cookie.replace(token, kept);
  assert.equal((await jsonOf(await server.get('get-session', { cookie }))).session.token, token);
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie: stolen }), unauthorized);
  await server.auth.authenticate({ apiKey: null, cookie });
});

test('a session that is prolonged keeps its token', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const inTwoDays = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString();
  const sql = 'update "session" set "expiresAt" = ?';
  await server.deps.store.transact(executeLibraryStatementScript, { sql, parameters: [inTwoDays] });
  const prolonged = await server.get('get-session', { cookie });
  const renewed = cookieOf(prolonged);
  assert.match(renewed, /\.session_token=/);
  await server.auth.authenticate({ apiKey: null, cookie: renewed });
  const [row] = await server.deps.store.reader.library.select('select "expiresAt" from "session"', []);
  assert.ok(String(row?.expiresAt) > inTwoDays);
});

test('an expired session is invalid, and its row is gone after the next sign-in', async () => {
  await using server = await startAuth();
  const { store } = server.deps;
  const passed = cookieOf(await server.post('sign-up/email', ada));
  const sql = 'update "session" set "expiresAt" = ?';
  await store.transact(executeLibraryStatementScript, { sql, parameters: ['2020-01-01T00:00:00.000Z'] });
  const cookie = cookieOf(await server.post('sign-in/email', credentials));
  const rows = await store.reader.library.select('select "id" from "session"', []);
  assert.equal(rows.length, 1);
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie: passed }), unauthorized);
  await server.auth.authenticate({ apiKey: null, cookie });
});

test('a session is invalid after its expiry', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const sql = 'update "session" set "expiresAt" = ?';
  const parameters = ['2020-01-01T00:00:00.000Z'];
  await server.deps.store.transact(executeLibraryStatementScript, { sql, parameters });
  await assert.rejects(server.auth.authenticate({ apiKey: null, cookie }), unauthorized);
});

test("the library's other endpoints do not exist", async () => {
  await using server = await startAuth({ signup: 'open' });
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const gone = [
    'delete-user',
    'change-email',
    'sign-in/social',
    'request-password-reset',
    'error',
    'ok',
    'SIGN-IN/email',
    'sign-in/email/',
    '',
  ];
  for (const path of gone) {
    await assert.rejects(
      server.post(path, { email: 'new@example.com' }, { cookie }),
      { code: 'route_not_found' },
      path,
    );
    await assert.rejects(server.get(path, { cookie }), { code: 'route_not_found' }, path);
  }
});

test('every error of the library is JSON with a message', async () => {
  await using server = await startAuth();
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const errors = [
    await server.post('sign-in/email', {}),
    await server.post('sign-in/email', { email: 7, password: [] }),
    await server.post('sign-in/email', { email: 'x', password: 'y' }),
    await server.post('change-password', {}, { cookie }),
    await server.get('list-sessions'),
    await server.post('revoke-sessions', {}),
  ];
  for (const response of errors) {
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    assert.equal(typeof (await jsonOf(response)).message, 'string');
  }
  assert.deepEqual(server.problems, []);
});
