import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needOf, type RouteAccess, routes } from '@stoa/contract';
import { freshAddress } from '../support/device-flow.ts';
import { assertRejection } from '../support/error.ts';
import { useOwnService } from '../support/target.ts';
import { badKey, notSignedIn, type Rejection } from './credential-errors.ts';
import { type CallerTitle, type CredentialHeaders, makeCallers } from './make-callers.ts';
import { type NarrowErrors, narrowErrors } from './narrow-errors.ts';
import { routeSamples, targetIn, titledSamples } from './route-samples.ts';

/** Every credential on every route: the exact status and body (interface: access). */
const { service, client: server } = await useOwnService({ STOA_TRUST_PROXY: 'loopback' });
const { home, callers } = await makeCallers(service, server);

type Reported =
  | { readonly kind: 'let_through' }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

const letThrough: Reported = { kind: 'let_through' };
const rejected = (...error: Rejection): Reported => ({ kind: 'refused', rejection: error });
const needsSession = rejected(403, 'This needs a logged-in session, not an API key: sign in to the web app');
const keysNeedSession = rejected(403, 'Key management requires a logged-in session, not an API key');
const notAMember = rejected(403, 'Not a workspace member');
const notScoped = rejected(403, 'Key is not scoped to this workspace');

/** The error of a credential, by the access of a route. Public routes let all credentials through. */
type Column = Readonly<Record<Exclude<RouteAccess, 'none'>, Reported>> & {
  /** The errors of a narrow key, on the routes of a workspace. */
  readonly beyond?: NarrowErrors;
};

const columnOf = (
  caller: Reported,
  session: Reported,
  workspace: Reported,
  workspaceSession: Reported,
  keys: Reported,
): Column => ({ caller, session, workspace, 'workspace-session': workspaceSession, keys });
const always = (reported: Reported, keys: Reported = reported) =>
  columnOf(reported, reported, reported, reported, keys);
const byKey = (workspace: Reported, workspaceSession: Reported = workspace) =>
  columnOf(letThrough, needsSession, workspace, workspaceSession, keysNeedSession);

const bySession = always(letThrough);
const byOutsidersSession = columnOf(letThrough, letThrough, notAMember, notAMember, letThrough);
const goodKey = byKey(letThrough, needsSession);
const narrowKey = (beyond: NarrowErrors): Column => ({ ...goodKey, beyond });

const columns: Readonly<Record<CallerTitle, Column>> = {
  nothing: always(rejected(...notSignedIn)),
  'a key': goodKey,
  'a session': bySession,
  'a key with a session': goodKey,
  'an outsider’s key with a member’s session': byKey(notAMember),
  'a revoked key with a session': always(rejected(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'an empty key with a session': always(rejected(...badKey('INVALID_API_KEY')), keysNeedSession),
  'a key as Bearer': always(rejected(...notSignedIn)),
  'a key as Bearer with the key': goodKey,
  'a key as Bearer with a session': bySession,
  'a key for this workspace': goodKey,
  'a key for another workspace': byKey(notScoped),
  'an unknown key': always(rejected(...badKey('INVALID_API_KEY')), keysNeedSession),
  'a revoked key': always(rejected(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'a key that reads': narrowKey(narrowErrors.reads),
  'a key that comments': narrowKey(narrowErrors.comments),
  'a key for a file': narrowKey(narrowErrors.inPlace),
  'a key that reads a file': narrowKey(narrowErrors.reads),
  'an expired key': always(rejected(...badKey('KEY_EXPIRED')), keysNeedSession),
  'a disabled key': always(rejected(...badKey('KEY_DISABLED')), keysNeedSession),
  'an outsider’s key': byKey(notAMember),
  'an outsider’s session': byOutsidersSession,
  'a removed member’s session': byOutsidersSession,
  'a removed member’s key': byKey(notAMember),
  'a removed member’s key for this workspace': always(rejected(...badKey('KEY_NOT_FOUND')), keysNeedSession),
  'a session that was never there': always(rejected(...notSignedIn)),
};

test('every route has a row in the matrix', () => {
  assert.deepEqual(Object.keys(routeSamples).sort(), Object.keys(routes).sort());
});

for (const title of Object.keys(columns).filter((title): title is CallerTitle => title in callers)) {
  test(`${title}, on every route`, { timeout: 600_000 }, async () => {
    for (const sample of titledSamples) await assertRevealed(sample, callers[title], columns[title]);
  });
}

test('the command line’s package, outside the contract, is the same for every caller', async () => {
  const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const method of ['GET', 'HEAD']) {
    const ask = async (headers: CredentialHeaders) => {
      const response = await server.send(method, '/download/stoa-cli.tgz', { headers });
      const { date: _, ...reported } = Object.fromEntries(response.headers);
      return { status: response.status, told: reported, body: response.bytes.toString('latin1') };
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

async function assertRevealed(
  sample: (typeof titledSamples)[number],
  headers: CredentialHeaders,
  column: Column,
) {
  const { method, access } = routes[sample.id];
  const sent = { ...sample.request?.headers, ...headers, 'x-forwarded-for': freshAddress() };
  const request = { ...sample.request, headers: sent };
  const response = await server.send(method, targetIn(sample, home.id), request);
  const beyond = access === 'workspace' ? column.beyond?.[needOf(routes[sample.id])] : undefined;
  const asked = access === 'none' ? letThrough : column[access];
  const reported = beyond === undefined ? asked : rejected(403, beyond);
  const [status, says, data] = reported.kind === 'refused' ? reported.rejection : sample.responds;
  const shown = `${sample.title}: ${response.status} ${response.bytes.toString()}`;
  assert.equal(response.status, status, shown);
  if (says === undefined || method === 'HEAD') return;
  try {
    assertRejection(response, status, {
      says,
      data: data ?? (says === 'invalid_grant' ? { error: says } : undefined),
    });
  } catch (error) {
    throw new Error(shown, { cause: error });
  }
}
