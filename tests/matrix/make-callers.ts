import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { createWorkspace } from '../support/workspace-client.ts';

export type CredentialHeaders = Readonly<Record<string, string>>;
export type CallerTitle = keyof Awaited<ReturnType<typeof makeCallers>>['callers'];

/**
 * Every kind of credential, as the headers of a request. Ada owns the workspaces Home and Office; Eve owns one called
 * Elsewhere, and so does Rex, who was a member of Home until he was removed.
 */
export async function makeCallers(service: ServiceProcess, server: HttpClient) {
  const ada = await signUp(server, 'Ada');
  const eve = await signUp(server, 'Eve');
  const rex = await signUp(server, 'Rex');
  const home = await createWorkspace(ada, ada.session, 'Home');
  const office = await createWorkspace(ada, ada.session, 'Office');
  await createWorkspace(eve, eve.session, 'Elsewhere');
  await createWorkspace(rex, rex.session, 'Elsewhere');
  await joinWorkspace(home, ada, rex);
  const key = await keyOf(ada);
  const scoped = await keyOf(ada, { workspaceId: home.id });
  const scopedElsewhere = await keyOf(ada, { workspaceId: office.id });
  const evesKey = await keyOf(eve);
  const rexesKey = await keyOf(rex);
  const rexesScoped = await keyOf(rex, { workspaceId: home.id });
  const revoked = await createKey(ada);
  assertStatus(await ada.session.send('DELETE', `/api/keys/${revoked.id}`), 200);
  assertStatus(await home.send('DELETE', `/members/${rex.id}`), 204);
  const expired = await createKey(ada);
  const disabled = await createKey(ada);
  // No request makes a key expire or disables one. This is the state left by an operator or another service
  // version.
  await service.home.changeRows(`update api_key set expires_at = 1 where id = '${expired.id}'`);
  await service.home.changeRows(`update api_key set disabled = 1 where id = '${disabled.id}'`);
  const reads = await keyOf(ada, { access: 'read' });
  const comments = await keyOf(ada, { workspaceId: home.id, access: 'comment' });
  // The samples of the matrices name this file. For the key it is the whole workspace.
  const forFile = await keyOf(ada, { workspaceId: home.id, path: 'none.md' });
  const readsFile = await keyOf(ada, { workspaceId: home.id, path: 'none.md', access: 'read' });
  const bearer = { authorization: `Bearer ${key}` };
  const callers = {
    nothing: {},
    'a key': { 'x-api-key': key },
    'a session': { cookie: cookieOf(ada) },
    'a key with a session': { 'x-api-key': key, cookie: cookieOf(ada) },
    'an outsider’s key with a member’s session': { 'x-api-key': evesKey, cookie: cookieOf(ada) },
    'a revoked key with a session': { 'x-api-key': revoked.secret, cookie: cookieOf(ada) },
    'an empty key with a session': { 'x-api-key': '', cookie: cookieOf(ada) },
    'a key as Bearer': bearer,
    'a key as Bearer with the key': { ...bearer, 'x-api-key': key },
    'a key as Bearer with a session': { ...bearer, cookie: cookieOf(ada) },
    'a key for this workspace': { 'x-api-key': scoped },
    'a key for another workspace': { 'x-api-key': scopedElsewhere },
    'an unknown key': { 'x-api-key': `${key.slice(0, -4)}0000` },
    'a revoked key': { 'x-api-key': revoked.secret },
    'a key that reads': { 'x-api-key': reads },
    'a key that comments': { 'x-api-key': comments },
    'a key for a file': { 'x-api-key': forFile },
    'a key that reads a file': { 'x-api-key': readsFile },
    'an expired key': { 'x-api-key': expired.secret },
    'a disabled key': { 'x-api-key': disabled.secret },
    'an outsider’s key': { 'x-api-key': evesKey },
    'an outsider’s session': { cookie: cookieOf(eve) },
    'a removed member’s session': { cookie: cookieOf(rex) },
    'a removed member’s key': { 'x-api-key': rexesKey },
    'a removed member’s key for this workspace': { 'x-api-key': rexesScoped },
    'a session that was never there': { cookie: cookieOf(ada).replace(/=.{12}/, '=AAAAAAAAAAAA') },
  } satisfies Readonly<Record<string, CredentialHeaders>>;
  return { home, callers };
}

async function keyOf(...options: Parameters<typeof createKey>): Promise<string> {
  return (await createKey(...options)).secret;
}

function cookieOf({ session }: Person): string {
  return session.credentials.cookie ?? '';
}
