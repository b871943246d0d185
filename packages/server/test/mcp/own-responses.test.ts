import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullGrant } from '@stoa/core';
import { headersOf, type McpEra, messageOf } from '../../../../tests/support/mcp-client.ts';
import { recordOf, recordsAt } from '../../../../tests/support/response.ts';
import { createMcpEndpoint } from '../../src/mcp/create-mcp-endpoint.ts';
import type { McpRequest } from '../../src/mcp/mcp-request.ts';
import type { Caller } from '../../src/service/access.ts';
import type { ServiceDeps } from '../../src/service/service-deps.ts';

/** Callers of one user, each with another credential, so that their responses differ. */
function callerOf(keyId: string, fields: Partial<Caller> = {}): Caller {
  const userId = 'us_ada';
  return {
    actor: { principal: 'agent', userId, keyId, keyLabel: keyId, userName: 'Ada' },
    credential: { via: 'key', credentialId: keyId, userId },
    scopedTo: null,
    grant: fullGrant,
    ...fields,
  };
}

function listingOf(era: McpEra, caller: Caller, toolSet: McpRequest['toolSet']): McpRequest {
  return {
    headers: headersOf(era, 'tools/list'),
    body: messageOf(era, 1, 'tools/list'),
    content: null,
    caller,
    toolSet,
    signal: new AbortController().signal,
    batchedReads: (read) => read(),
    whileWaiting: (wait) => wait(),
    reportFault: String,
  };
}

test('concurrent requests of one user each get their own response', async () => {
  // A list of tools needs no call of the service.
  const endpoint = createMcpEndpoint({
    service: {} as unknown as ServiceDeps,
    baseUrl: 'http://127.0.0.1',
    appUrl: 'http://127.0.0.1',
    traceTool: null,
  });
  const callers = [
    callerOf('wide'),
    callerOf('scoped', { scopedTo: 'ws_one' }),
    callerOf('reading', { grant: { access: 'read', path: '' } }),
  ];
  const requests = (['modern', 'legacy'] as const).flatMap((era) =>
    callers.flatMap((caller) =>
      (['standard', 'extended', 'files'] as const).map((toolSet) => listingOf(era, caller, toolSet)),
    ),
  );
  const namesOf = async (request: McpRequest) => {
    const { status, body } = await endpoint.answer(request);
    assert.equal(status, 200);
    const { result } = recordOf(JSON.parse(Buffer.from(body).toString()));
    return recordsAt(recordOf(result), 'tools').map(({ name, inputSchema }) => [name, inputSchema]);
  };
  const alone: unknown[] = [];
  for (const request of requests) alone.push(await namesOf(request));
  // All of them begin before the first has been handed to its server.
  assert.deepEqual(await Promise.all(requests.map(namesOf)), alone);
  assert.equal(new Set(alone.map((names) => JSON.stringify(names))).size, requests.length / 2);
  await endpoint.close();
});
