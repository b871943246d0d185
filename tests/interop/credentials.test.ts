import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claims } from '../conformance/claims.ts';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { headersOf, type McpEra, mcpPath, messageOf } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, jsonOf, recordOf } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';

const { service, client: server } = await useOwnService();
const ada = await signUp(server);
const robot = await createKey(ada);

/** Requests the tool list in both eras. */
async function ask(caller: HttpClient): Promise<readonly HttpResponse[]> {
  const eras: readonly McpEra[] = ['legacy', 'modern'];
  return Promise.all(
    eras.map((era) =>
      caller.send('POST', mcpPath, {
        json: messageOf(era, 1, 'tools/list'),
        headers: headersOf(era, 'tools/list'),
      }),
    ),
  );
}

async function assertAsRest(caller: HttpClient, check: (response: HttpResponse) => void): Promise<void> {
  const rest = await caller.send('GET', '/api/me');
  check(rest);
  for (const response of await ask(caller)) {
    check(response);
    assert.deepEqual(jsonOf(response), jsonOf(rest));
  }
}

test(...claims('mcp.credential.missing', 'rejects requests without a key'), async () => {
  await assertAsRest(server, (response) => assertRejection(response, 401));
});

test(...claims('mcp.credential.rejected', 'the error for a former key says why it ended'), async () => {
  const revoked = await createKey(ada);
  const expired = await createKey(ada);
  const disabled = await createKey(ada);
  for (const key of [revoked, expired, disabled]) {
    for (const response of await ask(key.client)) assertStatus(response, 200);
  }
  assertStatus(await ada.session.send('DELETE', `/api/keys/${revoked.id}`), 200);
  await service.home.changeRows(`update api_key set expires_at = 1 where id = '${expired.id}'`);
  await service.home.changeRows(`update api_key set disabled = 1 where id = '${disabled.id}'`);
  const mistyped = robot.secret.slice(0, -1) + (robot.secret.endsWith('x') ? 'y' : 'x');
  const unknown = server.as({ 'x-api-key': mistyped });
  const reasons = [
    [unknown, 'INVALID_API_KEY'],
    [server.as({ 'x-api-key': 'nonsense' }), 'INVALID_API_KEY'],
    [revoked.client, 'KEY_NOT_FOUND'],
    [expired.client, 'KEY_EXPIRED'],
    [disabled.client, 'KEY_DISABLED'],
  ] as const;
  for (const [caller, reason] of reasons) {
    const data = { error: 'invalid_api_key', reason };
    await assertAsRest(caller, (response) => assertRejection(response, 401, { data }));
  }
});

test(...claims('mcp.credential.bearer', 'a key sent as Bearer is as good as none'), async () => {
  const bearer = server.as({ authorization: `Bearer ${robot.secret}` });
  const [nobody] = await ask(server);
  assert.ok(nobody !== undefined);
  for (const response of await ask(bearer)) {
    assertRejection(response, 401);
    assert.deepEqual(jsonOf(response), jsonOf(nobody));
    assert.equal(response.headers.has('www-authenticate'), false, 'the header would send clients to sign in');
  }
  const both = server.as({ authorization: 'Bearer nonsense', 'x-api-key': robot.secret });
  for (const response of await ask(both)) assertStatus(response, 200);
});

test(...claims('mcp.credential.cookie', 'rejects a session cookie'), async () => {
  assertStatus(await ada.session.send('GET', '/api/me'), 200);
  for (const response of await ask(ada.session)) assertRejection(response, 401);
  const grace = await signUp(server, 'Grace Hopper');
  const cookieOfAnother = grace.session.as({ ...grace.session.credentials, 'x-api-key': robot.secret });
  for (const response of await ask(cookieOfAnother)) assertStatus(response, 200);
});

test(...claims('mcp.credential.no-oauth', 'a client that looks for OAuth finds none'), async () => {
  const addresses = [
    '/.well-known/oauth-protected-resource',
    `/.well-known/oauth-protected-resource${mcpPath}`,
    '/.well-known/oauth-authorization-server',
    `/.well-known/oauth-authorization-server${mcpPath}`,
    '/.well-known/openid-configuration',
    `/.well-known/openid-configuration${mcpPath}`,
    `${mcpPath}/.well-known/openid-configuration`,
    '/authorize',
    '/token',
    '/register',
  ];
  for (const address of addresses) {
    for (const method of ['GET', 'POST']) {
      const response = await server.send(method, address);
      assertRejection(response, 404);
      assert.equal(recordOf(jsonOf(response)).error, undefined, 'clients would read it as an OAuth response');
    }
  }
});
