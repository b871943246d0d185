import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { askForCode, freshAddress, newDevice, pollWith } from '../support/device-flow.ts';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, iso8601 } from '../support/expect.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

// Codes are limited by address. Each test therefore sets its own address, as a trusted proxy would.
const trust = { STOA_TRUST_PROXY: 'loopback' };
/** A stopped clock: a client that polls too early does so however long the requests take. */
const clock = await adjustableClock({ standing: true });
after(() => clock[Symbol.asyncDispose]());
const { client: server } = await useOwnService({ ...trust, ...clock.variables });
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const home = await createWorkspace(ada);
const office = await createWorkspace(ada);

function act(person: Person, step: 'lookup' | 'approve' | 'deny', json: unknown) {
  return person.session.send('POST', `/api/device/${step}`, { json });
}

function approve(userCode: string, choice: Readonly<Record<string, unknown>> = {}) {
  return act(ada, 'approve', { userCode, workspaceId: home.id, ...choice });
}

const word = (text: string) => ({ says: text, data: { error: text } });

test(
  ...claims(
    ['device.code', 'device.user-code', 'device.uris', 'device.lifetime'],
    'a device without a credential gets its codes',
  ),
  async () => {
    const response = await askForCode(server, freshAddress());
    assertStatus(response, 200);
    const { device_code: deviceCode, user_code: userCode, ...rest } = jsonOf(response);
    assert.match(String(userCode), /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    assert.ok(String(deviceCode).length >= 22, 'the device code is short');
    assert.deepEqual(rest, {
      verification_uri: `${server.url}/link`,
      verification_uri_complete: `${server.url}/link?code=${userCode}`,
      expires_in: 600,
      interval: 5,
    });
    assertStatus(await server.send('GET', '/link'), 200);
  },
);

test(...claims('device.code', 'no two devices get the same code'), async () => {
  const devices = await Promise.all(Array.from({ length: 20 }, () => newDevice(server)));
  assert.equal(new Set(devices.map(({ deviceCode }) => deviceCode)).size, 20);
  assert.equal(new Set(devices.map(({ userCode }) => userCode)).size, 20);
});

test(
  ...claims(
    ['device.pending', 'device.approved', 'device.consumed', 'device.key'],
    'only the first poll after the approval delivers a working key',
  ),
  async () => {
    const waiting = await newDevice(server);
    assertJson(await waiting.poll(), 200, { status: 'pending' });

    const device = await newDevice(server);
    const approval = jsonOf(await approve(device.userCode));
    assert.deepEqual({ ...approval, keyId: '' }, { status: 'approved', keyId: '', workspaceId: home.id });
    const delivered = await device.poll();
    assertStatus(delivered, 200);
    const { api_key: secret, api_key_id: keyId, ...rest } = jsonOf(delivered);
    assert.deepEqual(rest, { status: 'approved', workspace_id: home.id, api_base: server.url });
    assert.equal(keyId, approval.keyId);
    assertRejection(await device.poll(), 410, word('already_consumed'));
    assertRejection(await device.poll(), 410, word('already_consumed'));

    const key = server.as({ 'x-api-key': String(secret) });
    assertStatus(await key.send('PUT', `${home.root}/files/by-device.md`, { body: 'x' }), 201);
    assertRejection(await key.send('GET', `${office.root}/list`), 403, {
      says: 'Key is not scoped to this workspace',
    });
    const { principal, actorId, actorKeyId, actorLabel } = (await home.changes()).at(-1) ?? {};
    assert.deepEqual(
      { principal, actorId, actorKeyId, actorLabel },
      { principal: 'human', actorId: ada.id, actorKeyId: keyId, actorLabel: 'service-cli' },
    );
    const keys = recordsAt(jsonOf(await ada.session.send('GET', '/api/keys')), 'keys');
    assert.deepEqual(keys.find(({ id }) => id === keyId)?.expiresAt, null);
  },
);

test(...claims('device.key-choice', 'the key has the name and user that were chosen'), async () => {
  const device = await newDevice(server);
  assertStatus(await approve(device.userCode, { name: 'Robot', actorType: 'agent' }), 200);
  const key = server.as({ 'x-api-key': textAt(jsonOf(await device.poll()), 'api_key') });
  assertStatus(await key.send('PUT', `${home.root}/files/by-robot.md`, { body: 'x' }), 201);
  const { principal, actorLabel } = (await home.changes()).at(-1) ?? {};
  assert.deepEqual({ principal, actorLabel }, { principal: 'agent', actorLabel: 'Robot' });
});

test(...claims('device.once', 'of a thousand polls at once one gets the key'), async () => {
  const device = await newDevice(server);
  assertStatus(await approve(device.userCode), 200);
  const responses = await Promise.all(Array.from({ length: 1000 }, device.poll));
  const delivered = responses.filter(({ status }) => status === 200);
  assert.equal(delivered.length, 1);
  for (const response of responses.filter((each) => each !== delivered[0])) {
    assertRejection(response, 410, word('already_consumed'));
  }
});

test(
  ...claims('device.slow-down', 'every early poll gets slow_down, before and after the approval'),
  async () => {
    const device = await newDevice(server);
    assertJson(await device.poll(), 200, { status: 'pending' });
    for (let i = 0; i < 3; i += 1) {
      const rejected = await device.poll();
      assertRejection(rejected, 429, word('slow_down'));
      assert.deepEqual(rejected.headers.get('retry-after'), ['5']);
    }
    assertStatus(await approve(device.userCode), 200);
    assertRejection(await device.poll(), 429, word('slow_down'));
  },
);

test(...claims(['device.unknown', 'device.missing'], 'a poll needs a known code'), async () => {
  for (const query of ['', '?', '?device_code=', '?code=x']) {
    assertRejection(await server.send('GET', `/api/device/poll${query}`), 400, {
      says: 'device_code required',
    });
  }
  const device = await newDevice(server);
  for (const code of [
    'none',
    device.userCode,
    device.deviceCode.slice(0, -1),
    `${device.deviceCode}x`,
    '\0',
    'x'.repeat(4000),
  ]) {
    assertRejection(await pollWith(server, code), 404, word('invalid_grant'));
  }
  assertRejection(await server.send('GET', '/api/device/poll?device_code=a&device_code=b'), 400);
});

test(...claims('device.denied', 'a denied device gets access_denied'), async () => {
  const device = await newDevice(server);
  assertJson(await act(ada, 'deny', { userCode: device.userCode }), 200, { status: 'denied' });
  assertRejection(await device.poll(), 403, word('access_denied'));
  assertRejection(await device.poll(), 403, word('access_denied'));
  assertRejection(await approve(device.userCode), 403, word('access_denied'));
});

test(...claims('device.denied', 'denying withdraws an approval until the key is fetched'), async () => {
  const device = await newDevice(server);
  const { keyId } = jsonOf(await approve(device.userCode));
  assertJson(await act(ada, 'deny', { userCode: device.userCode }), 200, { status: 'denied' });
  assertRejection(await device.poll(), 403, word('access_denied'));
  const keys = recordsAt(jsonOf(await ada.session.send('GET', '/api/keys')), 'keys');
  assert.ok(!keys.some(({ id }) => id === keyId));
});

test(
  ...claims(
    ['device.lookup', 'device.user-code-typed'],
    'a person sees the device’s request, however they type the code',
  ),
  async () => {
    const device = await newDevice(server, 'stoa-cli/2.0 (Linux)');
    for (const typed of [
      device.userCode,
      device.userCode.toLowerCase(),
      device.userCode.replace('-', ''),
      ` ${device.userCode.replace('-', ' ')} `,
    ]) {
      const response = await act(ada, 'lookup', { userCode: typed });
      assertStatus(response, 200);
      const { createdAt, expiresAt, clientAddress, ...rest } = jsonOf(response);
      assert.deepEqual(rest, {
        userCode: device.userCode,
        status: 'pending',
        userAgent: 'stoa-cli/2.0 (Linux)',
        workspaceId: null,
      });
      assert.match(String(clientAddress), /^10\.\d+\.\d+\.\d+$/);
      assert.match(String(createdAt), iso8601);
      assert.equal(Date.parse(String(expiresAt)) - Date.parse(String(createdAt)), 600_000);
    }
    assertRejection(await act(ada, 'lookup', { userCode: 'CCCC-CCCC' }), 404, word('invalid_grant'));
    assertRejection(await act(ada, 'lookup', { userCode: device.deviceCode }), 404, word('invalid_grant'));
    for (const body of [{}, { userCode: 7 }, []]) assertRejection(await act(ada, 'lookup', body), 400);
  },
);

test(...claims('device.claim', 'a code is unknown to all but the person who claimed it'), async () => {
  const evesLocation = await createWorkspace(eve);
  const unknown = await act(eve, 'lookup', { userCode: 'CCCC-CCCC' });
  for (const claim of [
    (userCode: string) => act(ada, 'lookup', { userCode }),
    (userCode: string) => approve(userCode),
    (userCode: string) => act(ada, 'deny', { userCode }),
  ]) {
    const { userCode } = await newDevice(server);
    assertStatus(await claim(userCode), 200);
    for (const response of [
      await act(eve, 'lookup', { userCode }),
      await act(eve, 'approve', { userCode, workspaceId: evesLocation.id }),
      await act(eve, 'deny', { userCode }),
    ]) {
      assertRejection(response, 404, word('invalid_grant'));
      assert.deepEqual(response.bytes, unknown.bytes);
    }
  }
});

test(...claims('device.approve-membership', 'others’ workspaces are closed to a device'), async () => {
  const device = await newDevice(server);
  const into = (workspaceId: unknown) => act(eve, 'approve', { userCode: device.userCode, workspaceId });
  assertRejection(await into(home.id), 403, { says: 'Not a workspace member' });
  assertRejection(await into('none'), 404);
  for (const nothing of ['', 7, undefined]) assertRejection(await into(nothing), 400);
  assertJson(await device.poll(), 200, { status: 'pending' });
});

for (const step of ['lookup', 'approve', 'deny']) {
  test(...claims('device.session-only', `${step} needs a session and the app’s own origin`), async () => {
    const key = await createKey(ada);
    const { userCode } = await newDevice(server);
    const json = { userCode, workspaceId: home.id };
    const path = `/api/device/${step}`;
    assertRejection(await server.send('POST', path, { json }), 401);
    assertRejection(await key.client.send('POST', path, { json }), 403);
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assertRejection(await ada.session.send('POST', path, { json, headers }), 403);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assertRejection(
      await ada.session.send('POST', path, { body: `userCode=${userCode}`, headers: form }),
      415,
    );
    assertStatus(await act(eve, 'lookup', { userCode }), 200);
  });
}

test(
  ...claims('device.revoked-before', 'a key revoked before it is fetched is never delivered'),
  async () => {
    const device = await newDevice(server);
    const { keyId } = jsonOf(await approve(device.userCode));
    assertStatus(await ada.session.send('DELETE', `/api/keys/${keyId}`), 200);
    assertRejection(await device.poll(), 403, word('access_denied'));
  },
);

test(
  ...claims(['device.limit', 'device.limit-address'], 'an address gets five codes, then waits'),
  async () => {
    for (const [address, sameAddress] of [
      ['203.0.113.9', '203.0.113.9'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ] as const) {
      for (let i = 0; i < 5; i += 1) assertStatus(await askForCode(server, address), 200);
      const rejected = await askForCode(server, sameAddress);
      assertRejection(rejected, 429);
      const seconds = Number(rejected.headers.get('retry-after')?.[0]);
      assert.ok(seconds > 500 && seconds <= 600, String(seconds));
    }
    assertStatus(await askForCode(server, '2001:db8:1:3::1'), 200);
  },
);

test(...claims('device.approval-limit', 'a person tries ten approvals, then waits'), async () => {
  const busy = await signUp(server, 'Busy');
  const location = await createWorkspace(busy);
  const device = await newDevice(server);
  for (let i = 0; i < 10; i += 1) {
    const guess = await act(busy, 'approve', { userCode: 'CCCC-CCCC', workspaceId: location.id });
    assertRejection(guess, 404, word('invalid_grant'));
  }
  const rejected = await act(busy, 'approve', { userCode: device.userCode, workspaceId: location.id });
  assertRejection(rejected, 429);
  assert.ok(Number(rejected.headers.get('retry-after')?.[0]) > 800);
  assertStatus(await approve(device.userCode), 200);
});
