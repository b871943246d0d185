import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuth } from '../../src/auth/create-auth.ts';
import { ada, bob, cookieOf, jsonOf, startAuth } from './support/start-auth.ts';

const closed = { code: 'registration_closed' };

test('the first visitor makes an account and is signed in with it', async () => {
  await using server = await startAuth();
  const response = await server.post('sign-up/email', ada);
  assert.equal(response.status, 200);
  const { user } = await jsonOf(response);
  assert.equal(user.email, ada.email);
  const caller = await server.auth.authenticate({ apiKey: null, cookie: cookieOf(response) });
  assert.equal(caller.actor.userId, user.id);
});

test('after the first account, sign-up is closed', async () => {
  await using server = await startAuth();
  await server.post('sign-up/email', ada);
  await assert.rejects(server.post('sign-up/email', bob), closed);
  assert.equal(await server.deps.store.reader.users.count(), 1);
});

test('of concurrent first sign-ups, one wins', async () => {
  await using server = await startAuth();
  const visitors = Array.from({ length: 6 }, (_, i) => ({ ...ada, email: `visitor${i}@example.com` }));
  const responses = await Promise.allSettled(
    visitors.map((visitor) => server.post('sign-up/email', visitor)),
  );
  assert.equal(responses.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const response of responses) {
    if (response.status === 'rejected') assert.equal(response.reason.code, 'registration_closed');
  }
  assert.equal(await server.deps.store.reader.users.count(), 1);
});

test('an open server accepts every sign-up, each address once', async () => {
  await using server = await startAuth({ signup: 'open' });
  assert.equal((await server.post('sign-up/email', ada)).status, 200);
  assert.equal((await server.post('sign-up/email', bob)).status, 200);
  await assert.rejects(server.post('sign-up/email', { ...bob, email: 'BOB@example.com' }), {
    code: 'email_taken',
  });
});

test('the same address signed up twice at the same moment is one account', async () => {
  await using server = await startAuth({ signup: 'open' });
  const responses = await Promise.allSettled([
    server.post('sign-up/email', ada),
    server.post('sign-up/email', ada),
  ]);
  const reasons = responses
    .filter((response) => response.status === 'rejected')
    .map(({ reason }) => reason.code);
  assert.deepEqual(reasons, ['email_taken']);
});

test('a closed server rejects every sign-up, even the first', async () => {
  await using server = await startAuth({ signup: 'closed' });
  await assert.rejects(server.post('sign-up/email', ada), closed);
});

test('a sign-up with a bad field gets an error that names the field', async () => {
  await using server = await startAuth();
  const wrong: [object, RegExp][] = [
    [{ ...ada, email: 'ada' }, /^email must be/],
    [{ ...ada, email: 'ada@localhost' }, /^email must be/],
    [{ ...ada, email: 1 }, /^email is required/],
    [{ ...ada, password: 'short' }, /^password must have 8 to 128 characters/],
    [{ ...ada, password: 'x'.repeat(129) }, /^password must have/],
    [{ ...ada, name: ' ' }, /^name must not be empty/],
    [{ ...ada, name: 'a\nb' }, /^name must not hold control characters/],
    [{ ...ada, name: 'x'.repeat(101) }, /^name must not be longer than 100/],
    [{}, /^email is required/],
  ];
  for (const [body, message] of wrong) {
    await assert.rejects(server.post('sign-up/email', body), { code: 'invalid_request', message });
  }
  await assert.rejects(server.post('sign-up/email', [ada]), { code: 'invalid_request' });
});

test('unusual but valid addresses that may sign up may also sign in', async () => {
  await using server = await startAuth({ signup: 'open' });
  for (const email of ["o'neil+tag@mail.example.com", 'A_B-c.d@Example.COM', '1@xn--bcher-kva.example']) {
    assert.equal((await server.post('sign-up/email', { ...ada, email })).status, 200, email);
    assert.equal((await server.post('sign-in/email', { email, password: ada.password })).status, 200, email);
  }
});

test('the database is queried for a first account only until one exists', async () => {
  await using server = await startAuth();
  let asked = 0;
  const { users } = server.deps.store.reader;
  const counting = {
    ...server.deps.store,
    reader: {
      ...server.deps.store.reader,
      users: {
        ...users,
        count: () => {
          asked += 1;
          return users.count();
        },
      },
    },
  };
  const auth = createAuth({ ...server.deps, store: counting });
  assert.equal(await auth.readSignUp(), 'first');
  assert.equal(await auth.readSignUp(), 'first');
  assert.equal(asked, 2);
  await server.post('sign-up/email', ada);
  for (let request = 0; request < 3; request += 1) assert.equal(await auth.readSignUp(), 'invite');
  assert.equal(asked, 3);
});
