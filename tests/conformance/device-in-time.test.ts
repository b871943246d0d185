import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { newDevice } from '../support/device-flow.ts';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { openHttpClient } from '../support/http-client.ts';
import { type Person, signUp } from '../support/people.ts';
import { jsonOf, textAt } from '../support/response.ts';
import { startService } from '../support/service-process.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const trust = { STOA_TRUST_PROXY: 'loopback' };
const word = (text: string) => ({ says: text, data: { error: text } });

function act(person: Person, step: 'lookup' | 'approve' | 'deny', json: unknown) {
  return person.session.send('POST', `/api/device/${step}`, { json });
}

test(
  ...claims(
    ['device.expired', 'device.withdrawn', 'device.consumed'],
    'a code, and a key that was never fetched, expire after ten minutes',
  ),
  async () => {
    await using clock = await adjustableClock({ standing: true });
    await using service = await startService({ ...trust, ...clock.variables });
    const client = openHttpClient(service.url);
    const bob = await signUp(client, 'Bob');
    const location = await createWorkspace(bob);
    const devices = await Promise.all([newDevice(client), newDevice(client), newDevice(client)]);
    const [pending, approved, fetched] = devices;
    for (const { userCode } of [approved, fetched]) {
      assertStatus(await act(bob, 'approve', { userCode, workspaceId: location.id }), 200);
    }
    const secret = textAt(jsonOf(await fetched.poll()), 'api_key');
    await clock.advance(590_000);
    assertJson(await pending.poll(), 200, { status: 'pending' });
    await clock.advance(10_000);
    assertRejection(await pending.poll(), 410, word('expired_token'));
    assertRejection(await approved.poll(), 410, word('expired_token'));
    assertRejection(await fetched.poll(), 410, word('already_consumed'));
    for (const step of ['lookup', 'approve', 'deny'] as const) {
      const response = await act(bob, step, { userCode: pending.userCode, workspaceId: location.id });
      assertRejection(response, 410, word('expired_token'));
    }
    const key = client.as({ 'x-api-key': secret });
    assertStatus(await key.send('GET', `${location.root}/list`), 200);
    await client.close();
  },
);

test(
  ...claims(
    ['device.slow-down', 'device.refused-poll-counts', 'device.approved'],
    'five seconds after the last poll, rejected or not, the next one is accepted',
  ),
  async () => {
    await using clock = await adjustableClock({ standing: true });
    await using service = await startService({ ...trust, ...clock.variables });
    const client = openHttpClient(service.url);
    const bob = await signUp(client, 'Bob');
    const location = await createWorkspace(bob);
    const device = await newDevice(client);
    assertJson(await device.poll(), 200, { status: 'pending' });
    await clock.advance(3000);
    assertRejection(await device.poll(), 429, word('slow_down'));
    await clock.advance(3000);
    assertRejection(await device.poll(), 429, word('slow_down'));
    await clock.advance(5000);
    assertJson(await device.poll(), 200, { status: 'pending' });
    assertStatus(await act(bob, 'approve', { userCode: device.userCode, workspaceId: location.id }), 200);
    await clock.advance(5000);
    assert.equal(jsonOf(await device.poll()).status, 'approved');
    await client.close();
  },
);
