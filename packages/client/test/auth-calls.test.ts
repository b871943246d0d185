import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, StoaApiError } from '@stoa/client';
import { useOwnService } from '../../../tests/support/target.ts';
import { startRecordedService } from './recorded-service.ts';

const { service } = await useOwnService({ STOA_SIGNUP: 'first', STOA_SIGNIN_LIMIT: '30' });

const ada = { name: 'Ada', email: 'ada@example.com', password: 'analytical engine' };
const bob = { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' };
const { email, password } = ada;

/** Creates a client that keeps cookies, as a browser does. */
function browser(headers: Readonly<Record<string, string>> = {}) {
  const cookies = new Map<string, string>();
  const keepCookies: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (jar !== '') sent.set('cookie', jar);
    const response = await fetch(input, { ...init, headers: sent });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return createStoaClient({ baseUrl: service.url, fetch: keepCookies });
}

test('users sign up, in and out, and read their account', async () => {
  const { auth, me } = browser();
  assert.deepEqual(await auth.session(), { kind: 'signed_out' });
  const signedUp = await auth.signUp(ada);
  assert.ok(signedUp.kind === 'signed_up', JSON.stringify(signedUp));
  assert.deepEqual([signedUp.user.name, signedUp.user.email, signedUp.user.image], ['Ada', email, null]);
  const session = await auth.session();
  assert.ok(session.kind === 'signed_in');
  assert.equal(session.user.id, signedUp.user.id);
  assert.ok(Date.parse(session.session.expiresAt) > 0);
  assert.equal((await me()).user.name, 'Ada');
  assert.deepEqual(await auth.signOut(), { kind: 'signed_out' });
  assert.deepEqual(await auth.session(), { kind: 'signed_out' });
  assert.equal((await auth.signIn({ email, password })).kind, 'signed_in');
});

test('errors of a sign-up or a sign-in are outcomes', async () => {
  const { auth } = browser();
  const wrong = { kind: 'wrong_credentials' };
  assert.deepEqual(await auth.signIn({ email, password: 'nonsense' }), wrong);
  assert.deepEqual(await auth.signIn({ email: 'nobody@example.com', password }), wrong);
  assert.deepEqual(await auth.signUp(bob), { kind: 'sign_up_closed' });
  assert.deepEqual(await auth.signUp({ ...bob, inviteToken: 'none' }), { kind: 'sign_up_closed' });
  const short = await auth.signUp({ ...bob, password: 'short' });
  assert.ok(short.kind === 'invalid', JSON.stringify(short));
  assert.match(short.message, /password must have 8 to 128 characters/);
  assert.equal((await auth.signIn({ email: 'no address', password })).kind, 'invalid');
});

test('a user with an invite signs up once', async () => {
  const owner = browser();
  await owner.auth.signIn({ email, password });
  const made = await owner.createWorkspace({ name: 'Team' });
  assert.ok(made.kind === 'created');
  const { url } = await owner.createInvite({ workspaceId: made.id });
  const inviteToken = url.split('/').at(-1) ?? '';
  const { auth } = browser();
  assert.equal((await auth.signUp({ ...bob, inviteToken })).kind, 'signed_up');
  assert.deepEqual(await auth.signUp({ ...bob, inviteToken }), { kind: 'email_taken' });
});

test('requests from another origin are rejected', async () => {
  const { auth } = browser({ origin: 'http://elsewhere.example', 'sec-fetch-site': 'cross-site' });
  for (const outcome of [
    await auth.signIn({ email, password }),
    await auth.signUp(bob),
    await auth.signOut(),
    await auth.updateProfile({ name: 'Eve' }),
    await auth.changePassword({ currentPassword: password, newPassword: 'new password' }),
  ]) {
    assert.ok(outcome.kind === 'wrong_origin', JSON.stringify(outcome));
    assert.match(outcome.message, /must come from the app itself/);
  }
});

test('a user changes name, picture and password', async () => {
  const { auth } = browser();
  await auth.signIn({ email, password });
  assert.deepEqual(await auth.updateProfile({ name: 'Countess', image: null }), { kind: 'updated' });
  const session = await auth.session();
  assert.equal(session.kind === 'signed_in' && session.user.name, 'Countess');
  assert.equal((await auth.updateProfile({ name: '' })).kind, 'invalid');
  const newPassword = 'difference engine';
  const wrong = await auth.changePassword({ currentPassword: 'nonsense', newPassword });
  assert.deepEqual(wrong, { kind: 'wrong_password' });
  const short = await auth.changePassword({ currentPassword: password, newPassword: 'short' });
  assert.equal(short.kind, 'invalid');
  assert.deepEqual(await auth.changePassword({ currentPassword: password, newPassword }), {
    kind: 'changed',
  });
  assert.equal((await auth.session()).kind, 'signed_in');
  await auth.changePassword({ currentPassword: newPassword, newPassword: password });
});

test('a user lists and ends their sessions', async () => {
  const { auth } = browser();
  await auth.signIn({ email, password });
  assert.deepEqual(await auth.revokeOtherSessions(), { kind: 'revoked' });
  const other = browser();
  await other.auth.signIn({ email, password });
  const [own, listed] = [await auth.session(), await auth.listSessions()];
  assert.ok(own.kind === 'signed_in' && listed.kind === 'listed');
  assert.equal(listed.sessions.length, 2);
  const theirs = listed.sessions.find(({ id }) => id !== own.session.id);
  assert.ok(theirs !== undefined);
  assert.ok(Date.parse(theirs.createdAt) <= Date.parse(theirs.expiresAt));
  assert.deepEqual(await auth.revokeSession(theirs.token), { kind: 'revoked' });
  assert.deepEqual(await other.auth.listSessions(), { kind: 'signed_out' });
  for (const outcome of [
    await other.auth.updateProfile({ name: 'Nobody' }),
    await other.auth.revokeSession(theirs.token),
    await other.auth.revokeOtherSessions(),
    await other.auth.changePassword({ currentPassword: password, newPassword: 'new password' }),
  ]) {
    assert.deepEqual(outcome, { kind: 'signed_out' });
  }
});

test('too many attempts report how long to wait', async () => {
  await using played = await startRecordedService(
    { status: 429, headers: { 'Retry-After': '17' }, json: { message: 'Too many attempts' } },
    { status: 429, bytes: 'slow down' },
  );
  const { auth } = createStoaClient(played);
  const signIn = () => auth.signIn({ email, password });
  assert.deepEqual(await signIn(), { kind: 'too_many_attempts', retryAfterSeconds: 17 });
  assert.deepEqual(await signIn(), { kind: 'too_many_attempts', retryAfterSeconds: 60 });
});

test('errors that no user can fix are thrown', async () => {
  await using played = await startRecordedService({ status: 503, json: { message: 'The server is busy' } });
  await assert.rejects(createStoaClient(played).auth.session(), StoaApiError);
});
