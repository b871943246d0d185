import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { acceptInvite, createInvite } from '../support/invites.ts';
import { signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const { service, client: server } = await useOwnService({ STOA_SIGNUP: 'first', STOA_LOG_LEVEL: 'debug' });
const ada = await signUp(server, 'Ada');
const workspace = await createWorkspace(ada);
const closed = { says: /invit/ };

const password = 'correct horse battery';

function register(name: string, inviteToken?: unknown) {
  const json = { name, email: `${name}@example.org`, password, inviteToken };
  return server.send('POST', '/api/auth/sign-up/email', { json });
}

async function registered(name: string, inviteToken: string): Promise<HttpClient> {
  const response = await register(name, inviteToken);
  assertStatus(response, 200);
  const cookies = (response.headers.get('set-cookie') ?? []).map((cookie) => cookie.split(';', 1)[0]);
  return server.as({ cookie: cookies.join('; ') });
}

test(...claims('members.invite-sign-up', 'a new person can sign up only with an invite'), async () => {
  assertRejection(await register('bob'), 403, closed);
  for (const wrong of ['x', 'A'.repeat(43), '']) assertRejection(await register('bob', wrong), 403, closed);
  for (const wrong of [7, {}, true]) assertRejection(await register('bob', wrong), 400);
  const { token } = await createInvite(ada, workspace.id);
  const bob = await registered('bob', token);
  assertRejection(await bob.send('GET', `${workspace.root}/list`), 403, { says: 'Not a workspace member' });
  assert.equal(jsonOf(await acceptInvite(bob, token)).alreadyMember, false);
  assertStatus(await bob.send('GET', `${workspace.root}/list`), 200);
});

test(...claims('members.invite-sign-up', 'joining uses up an invite, signing up does not'), async () => {
  const { token } = await createInvite(ada, workspace.id, { maxUses: 1 });
  const carol = await registered('carol', token);
  const dora = await registered('dora', token);
  assertStatus(await acceptInvite(carol, token), 200);
  assertRejection(await acceptInvite(dora, token), 410);
  assertRejection(await register('erik', token), 403, closed);
});

test(...claims('members.invite-sign-up', 'an ended invite allows no sign-up'), async () => {
  const { token, id } = await createInvite(ada, workspace.id);
  assertStatus(await ada.session.send('DELETE', `${workspace.root}/invites/${id}`), 204);
  assertRejection(await register('frida', token), 403, closed);
});

test(...claims('members.invite-not-logged', 'no log line holds the token of an invite'), async () => {
  const { token } = await createInvite(ada, workspace.id);
  await server.send('GET', `/api/invites/${token}`);
  await server.send('GET', `/invite/${token}`);
  await server.send('GET', `/invite/${token}?x=1`);
  await acceptInvite(ada.session, token);
  await register('gerd', token);
  await service.end('SIGTERM');
  assert.match(service.log(), /api\/invites/);
  assert.ok(!service.log().includes(token));
});
