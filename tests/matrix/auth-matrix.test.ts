import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type RouteAccess, type RouteId, routes } from '@stoa/contract';
import { freshAddress } from '../support/device-flow.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { assertRefusal } from '../support/refusal.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { routeSamples, targetIn } from './route-samples.ts';

/** Every credential on every route: the exact status and body (specification: Authentication). */
const { service, client: server } = await useOwnService({ STOA_TRUST_PROXY: 'loopback' });
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const rex = await signUp(server, 'Rex');
const home = await createWorkspace(ada, ada.session, 'Home');
const office = await createWorkspace(ada, ada.session, 'Office');
await createWorkspace(eve, eve.session, 'Elsewhere');
await createWorkspace(rex, rex.session, 'Elsewhere');
await joinWorkspace(home, ada, rex);

const keyOf = async (...wish: Parameters<typeof createKey>) => (await createKey(...wish)).secret;
const cookieOf = ({ session }: typeof ada) => session.credentials.cookie ?? '';
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
{
  // No request makes a key expire or disables one: what an operator or another version of the service has set.
  using database = new DatabaseSync(join(service.dataDir, 'stoa.db'));
  database.prepare('update api_key set expires_at = 1 where id = ?').run(expired.id);
  database.prepare('update api_key set disabled = 1 where id = ?').run(disabled.id);
}

type Told = { readonly kind: 'let_through' } | { readonly kind: 'refused'; readonly refusal: Refusal };
type Refusal = readonly [status: number, says: string, data?: unknown];

const letThrough: Told = { kind: 'let_through' };
const refused = (...refusal: Refusal): Told => ({ kind: 'refused', refusal });
const notSignedIn = refused(401, 'Not signed in: send an API key in the x-api-key header, or sign in');
const badKey = (reason: string) =>
  refused(401, 'The API key was not accepted: check it, or make a new one', {
    error: 'invalid_api_key',
    reason,
  });
const needsSession = refused(403, 'This needs a logged-in session, not an API key: sign in to the web app');
const keysNeedSession = refused(403, 'Key management requires a logged-in session, not an API key');
const notAMember = refused(403, 'Not a workspace member');
const notScoped = refused(403, 'Key is not scoped to this workspace');

/** What a credential is told, by what a route asks for; routes for anybody let all of them through. */
type Column = Readonly<Record<Exclude<RouteAccess, 'none'>, Told>>;

const columnOf = (
  caller: Told,
  session: Told,
  workspace: Told,
  workspaceSession: Told,
  keys: Told,
): Column => ({ caller, session, workspace, 'workspace-session': workspaceSession, keys });
const always = (told: Told, keys: Told = told) => columnOf(told, told, told, told, keys);
const byKey = (workspace: Told, workspaceSession: Told = workspace) =>
  columnOf(letThrough, needsSession, workspace, workspaceSession, keysNeedSession);

const bySession = always(letThrough);
const byOutsidersSession = columnOf(letThrough, letThrough, notAMember, notAMember, letThrough);
const goodKey = byKey(letThrough, needsSession);
const bearer = { authorization: `Bearer ${key}` };

const columns: Readonly<
  Record<string, { readonly headers: Readonly<Record<string, string>>; readonly told: Column }>
> = {
  nothing: { headers: {}, told: always(notSignedIn) },
  'a key': { headers: { 'x-api-key': key }, told: goodKey },
  'a session': { headers: { cookie: cookieOf(ada) }, told: bySession },
  'a key beside a session': { headers: { 'x-api-key': key, cookie: cookieOf(ada) }, told: goodKey },
  'an outsider’s key beside a member’s session': {
    headers: { 'x-api-key': evesKey, cookie: cookieOf(ada) },
    told: byKey(notAMember),
  },
  'a revoked key beside a session': {
    headers: { 'x-api-key': revoked.secret, cookie: cookieOf(ada) },
    told: always(badKey('KEY_NOT_FOUND'), keysNeedSession),
  },
  'an empty key beside a session': {
    headers: { 'x-api-key': '', cookie: cookieOf(ada) },
    told: always(badKey('INVALID_API_KEY'), keysNeedSession),
  },
  'a key as Bearer': { headers: bearer, told: always(notSignedIn) },
  'a key as Bearer beside the key': { headers: { ...bearer, 'x-api-key': key }, told: goodKey },
  'a key as Bearer beside a session': { headers: { ...bearer, cookie: cookieOf(ada) }, told: bySession },
  'a key for this workspace': { headers: { 'x-api-key': scoped }, told: goodKey },
  'a key for another workspace': { headers: { 'x-api-key': scopedElsewhere }, told: byKey(notScoped) },
  'an unknown key': {
    headers: { 'x-api-key': `${key.slice(0, -4)}0000` },
    told: always(badKey('INVALID_API_KEY'), keysNeedSession),
  },
  'a revoked key': {
    headers: { 'x-api-key': revoked.secret },
    told: always(badKey('KEY_NOT_FOUND'), keysNeedSession),
  },
  'an expired key': {
    headers: { 'x-api-key': expired.secret },
    told: always(badKey('KEY_EXPIRED'), keysNeedSession),
  },
  'a disabled key': {
    headers: { 'x-api-key': disabled.secret },
    told: always(badKey('KEY_DISABLED'), keysNeedSession),
  },
  'an outsider’s key': { headers: { 'x-api-key': evesKey }, told: byKey(notAMember) },
  'an outsider’s session': { headers: { cookie: cookieOf(eve) }, told: byOutsidersSession },
  'a removed member’s session': { headers: { cookie: cookieOf(rex) }, told: byOutsidersSession },
  'a removed member’s key': { headers: { 'x-api-key': rexesKey }, told: byKey(notAMember) },
  'a removed member’s key for this workspace': {
    headers: { 'x-api-key': rexesScoped },
    told: always(badKey('KEY_NOT_FOUND'), keysNeedSession),
  },
  'a session that was never there': {
    headers: { cookie: cookieOf(ada).replace(/=.{12}/, '=AAAAAAAAAAAA') },
    told: always(notSignedIn),
  },
};

test('every route has a row in the matrix', () => {
  assert.deepEqual(Object.keys(routeSamples).sort(), Object.keys(routes).sort());
});

const ids = Object.keys(routes).filter((id): id is RouteId => id in routes);
for (const [title, { headers, told }] of Object.entries(columns)) {
  test(`${title}, on every route`, { timeout: 60_000 }, async () => {
    for (const id of ids) await assertTold(id, headers, told);
  });
}

async function assertTold(id: RouteId, headers: Readonly<Record<string, string>>, column: Column) {
  const sample = routeSamples[id];
  const { method, access } = routes[id];
  const sent = { ...sample.request?.headers, ...headers, 'x-forwarded-for': freshAddress() };
  const request = { ...sample.request, headers: sent };
  const answer = await server.send(method, targetIn(sample, home.id), request);
  const told = access === 'none' ? letThrough : column[access];
  const [status, says, data] = told.kind === 'refused' ? told.refusal : sample.answered;
  const shown = `${id}: ${answer.status} ${answer.bytes.toString()}`;
  assert.equal(answer.status, status, shown);
  if (says === undefined || method === 'HEAD') return;
  try {
    assertRefusal(answer, status, {
      says,
      data: data ?? (says === 'invalid_grant' ? { error: says } : undefined),
    });
  } catch (error) {
    throw new Error(shown, { cause: error });
  }
}
