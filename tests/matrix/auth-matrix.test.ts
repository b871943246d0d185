import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needOf, type RouteAccess, routes } from '@stoa/contract';
import { freshAddress } from '../support/device-flow.ts';
import { assertRefusal } from '../support/refusal.ts';
import { useOwnService } from '../support/target.ts';
import { badKey, notSignedIn, type Refusal } from './credential-refusals.ts';
import { type CallerTitle, type CredentialHeaders, makeCallers } from './make-callers.ts';
import { type NarrowRefusals, narrowRefusals } from './narrow-refusals.ts';
import { routeSamples, targetIn, titledSamples } from './route-samples.ts';

/** Every credential on every route: the exact status and body (interface: access). */
const { service, client: server } = await useOwnService({ STOA_TRUST_PROXY: 'loopback' });
const { home, callers } = await makeCallers(service, server);

type Told = { readonly kind: 'let_through' } | { readonly kind: 'refused'; readonly refusal: Refusal };

const letThrough: Told = { kind: 'let_through' };
const refused = (...refusal: Refusal): Told => ({ kind: 'refused', refusal });
const needsSession = refused(403, 'This needs a logged-in session, not an API key: sign in to the web app');
const keysNeedSession = refused(403, 'Key management requires a logged-in session, not an API key');
const notAMember = refused(403, 'Not a workspace member');
const notScoped = refused(403, 'Key is not scoped to this workspace');

/** The error of a credential, by the access of a route. Public routes let all credentials through. */
type Column = Readonly<Record<Exclude<RouteAccess, 'none'>, Told>> & {
  /** The errors of a narrow key, on the routes of a workspace. */
  readonly beyond?: NarrowRefusals;
};

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
const narrowKey = (beyond: NarrowRefusals): Column => ({ ...goodKey, beyond });

const columns: Readonly<Record<CallerTitle, Column>> = {
  nothing: always(refused(...notSignedIn)),
  'a key': goodKey,
  'a session': bySession,
  'a key with a session': goodKey,
  'an outsider’s key with a member’s session': byKey(notAMember),
  'a revoked key with a session': always(refused(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'an empty key with a session': always(refused(...badKey('INVALID_API_KEY')), keysNeedSession),
  'a key as Bearer': always(refused(...notSignedIn)),
  'a key as Bearer with the key': goodKey,
  'a key as Bearer with a session': bySession,
  'a key for this workspace': goodKey,
  'a key for another workspace': byKey(notScoped),
  'an unknown key': always(refused(...badKey('INVALID_API_KEY')), keysNeedSession),
  'a revoked key': always(refused(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'a key that reads': narrowKey(narrowRefusals.reads),
  'a key that comments': narrowKey(narrowRefusals.comments),
  'a key for a file': narrowKey(narrowRefusals.inPlace),
  'a key that reads a file': narrowKey(narrowRefusals.reads),
  'an expired key': always(refused(...badKey('KEY_EXPIRED')), keysNeedSession),
  'a disabled key': always(refused(...badKey('KEY_DISABLED')), keysNeedSession),
  'an outsider’s key': byKey(notAMember),
  'an outsider’s session': byOutsidersSession,
  'a removed member’s session': byOutsidersSession,
  'a removed member’s key': byKey(notAMember),
  'a removed member’s key for this workspace': always(refused(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'a session that was never there': always(refused(...notSignedIn)),
};

test('every route has a row in the matrix', () => {
  assert.deepEqual(Object.keys(routeSamples).sort(), Object.keys(routes).sort());
});

for (const title of Object.keys(columns).filter((title): title is CallerTitle => title in callers)) {
  test(`${title}, on every route`, { timeout: 600_000 }, async () => {
    for (const sample of titledSamples) await assertTold(sample, callers[title], columns[title]);
  });
}

test('the command line’s package, outside the contract, is the same for every caller', async () => {
  const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const method of ['GET', 'HEAD']) {
    const ask = async (headers: CredentialHeaders) => {
      const answer = await server.send(method, '/download/stoa-cli.tgz', { headers });
      const { date: _, ...told } = Object.fromEntries(answer.headers);
      return { status: answer.status, told, body: answer.bytes.toString('latin1') };
    };
    const alone = await ask({});
    assert.equal('set-cookie' in alone.told, false);
    for (const [title, headers] of Object.entries(callers)) {
      assert.deepEqual(await ask(headers), alone, title);
      assert.deepEqual(
        await ask({ ...headers, ...elsewhere }),
        alone,
        `${title}, from a page of another site`,
      );
    }
    assert.ok(!alone.body.includes(home.id));
  }
});

async function assertTold(
  sample: (typeof titledSamples)[number],
  headers: CredentialHeaders,
  column: Column,
) {
  const { method, access } = routes[sample.id];
  const sent = { ...sample.request?.headers, ...headers, 'x-forwarded-for': freshAddress() };
  const request = { ...sample.request, headers: sent };
  const answer = await server.send(method, targetIn(sample, home.id), request);
  const beyond = access === 'workspace' ? column.beyond?.[needOf(routes[sample.id])] : undefined;
  const asked = access === 'none' ? letThrough : column[access];
  const told = beyond === undefined ? asked : refused(403, beyond);
  const [status, says, data] = told.kind === 'refused' ? told.refusal : sample.answered;
  const shown = `${sample.title}: ${answer.status} ${answer.bytes.toString()}`;
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
