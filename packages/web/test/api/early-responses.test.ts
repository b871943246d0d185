import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { createStoaClient } from '@stoa/client';
import { type EarlyResponses, withEarlyResponses } from '../../src/api/early-responses.ts';

const baseUrl = 'http://stoa.example';
const sessionAddress = '/api/auth/get-session';
const positionAddress = '/api/workspaces/ws_1/changes?sinceSeq=0&limit=0';
const listAddress = '/api/workspaces/ws_1/list?details=1';
const user = { id: 'user_1', name: 'Ada' };
const responses: Readonly<Record<string, unknown>> = {
  [sessionAddress]: { session: { id: 'session_1', expiresAt: '2026-01-01T00:00:00Z' }, user },
  [positionAddress]: { changes: [], head: 7, nextSeq: 7 },
  [listAddress]: { files: [], folders: [] },
};
const html = await readFile(new URL('../../index.html', import.meta.url), 'utf8');
const script = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
  .map(([, text = '']) => text)
  .find((text) => text.includes('stoaEarly'));

/** Loads the document of an address and an app with its client. A request without a prepared response fails. */
function open(
  pathname: string,
  changed: Readonly<Record<string, unknown>> = {},
  rejected: readonly string[] = [],
) {
  const asked: string[] = [];
  const askedLater: string[] = [];
  const response = async (address: string, into: string[]) => {
    into.push(address);
    if (rejected.includes(address)) return Response.json({ error: 'unauthorized' }, { status: 401 });
    const body = { ...responses, ...changed }[address];
    if (body === undefined) throw new TypeError('no answer');
    return Response.json(body);
  };
  const window: { stoaEarly?: EarlyResponses } = {};
  runInNewContext(script ?? assert.fail('index.html asks for nothing'), {
    window,
    location: { pathname },
    AbortController,
    fetch: (address: string) => response(address, asked),
  });
  const send = (now: () => number) =>
    withEarlyResponses(
      window.stoaEarly,
      (input) => response(String(input).slice(baseUrl.length), askedLater),
      now,
    );
  const client = (now = () => 0) => createStoaClient({ baseUrl, fetch: send(now) });
  return { asked, askedLater, early: window.stoaEarly, client };
}

async function askAll(client: ReturnType<typeof createStoaClient>) {
  const session = await client.auth.session();
  const { head } = await client.readChanges('ws_1', { sinceSeq: 0, limit: 0 });
  await client.list('ws_1', { details: true });
  return { session: session.kind, head };
}

test('the document prefetches the first requests of the app in order, and the app repeats none', async () => {
  const { asked, askedLater, client } = open('/w/ws_1/d/notes');
  const app = client();
  assert.deepEqual(await askAll(app), { session: 'signed_in', head: 7 });
  assert.deepEqual(asked, [sessionAddress, positionAddress, listAddress]);
  assert.deepEqual(askedLater, []);

  await app.list('ws_1', { details: true });
  assert.deepEqual(askedLater, [listAddress], 'an early response is used only once');
});

test('session and feed position are requested in parallel; the list waits for the position', async () => {
  const { asked, early } = open('/w/ws_1', { [sessionAddress]: undefined });
  await early?.get(listAddress)?.response;
  assert.deepEqual(asked, [sessionAddress, positionAddress, listAddress]);
});

test('without a session the position is rejected, and the app can request the list later', async () => {
  const { asked, askedLater, client } = open('/w/ws_1', { [sessionAddress]: null }, [positionAddress]);
  const app = client();
  assert.equal((await app.auth.session()).kind, 'signed_out');
  await assert.rejects(app.readChanges('ws_1', { sinceSeq: 0, limit: 0 }), { status: 401 });
  await app.list('ws_1', { details: true });
  assert.deepEqual(asked, [sessionAddress, positionAddress]);
  assert.deepEqual(askedLater, [listAddress]);
});

test('a failed, late or different early request is sent again as usual', async () => {
  const failed = open('/w/ws_1', { [positionAddress]: undefined });
  await failed.client().list('ws_1', { details: true });
  assert.deepEqual(failed.askedLater, [listAddress]);

  const late = open('/w/ws_1');
  await askAll(late.client(() => 30_001));
  assert.deepEqual(late.askedLater, [sessionAddress, positionAddress, listAddress]);

  const partAddress = '/api/workspaces/ws_1/list?prefix=notes&details=1';
  const other = open('/w/ws_1', { [partAddress]: responses[listAddress] });
  await other.client().list('ws_1', { details: true, prefix: 'notes' });
  assert.deepEqual(other.askedLater, [partAddress]);

  assert.equal(open('/account/keys').early, undefined);
});

test('a list older than its position is requested again, and so is everything after a change', async () => {
  const again = open('/w/ws_1');
  const app = again.client();
  await app.auth.session();
  await app.readChanges('ws_1', { sinceSeq: 0, limit: 0 });
  // Simulates a body that was cut off.
  await app.readChanges('ws_1', { sinceSeq: 0, limit: 0 });
  await app.list('ws_1', { details: true });
  assert.deepEqual(again.askedLater, [positionAddress, listAddress]);

  const changed = open('/w/ws_1', { '/api/auth/sign-out': { success: true } });
  const other = changed.client();
  await other.auth.signOut();
  await other.list('ws_1', { details: true });
  assert.deepEqual(changed.askedLater, ['/api/auth/sign-out', listAddress]);
});

test('an aborted caller ends the early request, even while it waits for another', async () => {
  const ended: unknown[] = [];
  const early: EarlyResponses = new Map([
    [sessionAddress, { response: new Promise<null>(() => {}), end: (reason) => ended.push(reason) }],
  ]);
  const giveUp = new AbortController();
  const send = withEarlyResponses(
    early,
    () => assert.fail('asked again'),
    () => 0,
  );
  const response = send(baseUrl + sessionAddress, { method: 'GET', signal: giveUp.signal });
  giveUp.abort('enough');
  await assert.rejects(response, (reason) => reason === 'enough');
  assert.deepEqual(ended, ['enough']);
});
