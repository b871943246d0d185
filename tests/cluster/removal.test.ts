import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { join } from '../support/invites.ts';
import { headersOf, type McpEra, mcpPath, messageOf } from '../support/mcp-client.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import { startPostgres } from '../support/postgres.ts';
import { seededRandom, seedFrom, sizeFrom } from '../support/random.ts';
import { type HttpResponse, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace, type WorkspaceClient, workspaceClient } from '../support/workspace-client.ts';
import { firstOf, startCluster } from './start-cluster.ts';

/**
 * Users send requests to three nodes without a pause. Once one node has confirmed a removal, no request that begins
 * afterwards at any node may succeed.
 */
const seed = seedFrom('STOA_CLUSTER_SEED');
const rounds = 2 * sizeFrom('STOA_CLUSTER_SCALE', 1);
const random = seededRandom(seed);
const server = await startPostgres();
const cluster = await startCluster({ STOA_DATABASE_URL: await server.createDatabase() });
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
const ada = await signUp(firstOf(cluster.nodes), 'Ada');
const bob = await signUp(firstOf(cluster.nodes), 'Bob');

/** A request that a credential may send to one node. It returns a status, or the text of a tool. */
interface Use {
  readonly name: string;
  readonly ask: () => Promise<string>;
}

const statusOf = async (asked: Promise<HttpResponse>) => String((await asked).status);

/** All kinds of requests with a key or a session: reads, a write, the feed, and tools for a key. */
function usesOf(workspaceId: string, name: string, caller: HttpClient, isKey: boolean): readonly Use[] {
  return cluster.at(caller).flatMap((client, node) => {
    const workspace = workspaceClient(client, workspaceId, 0);
    const at = `${name} at node ${node}`;
    let names = 0;
    const rest: readonly Use[] = [
      { name: `list by ${at}`, ask: () => statusOf(workspace.query('list')) },
      { name: `feed by ${at}`, ask: () => statusOf(workspace.query('changes', { sinceSeq: 0 })) },
      {
        name: `write by ${at}`,
        ask: () => {
          names += 1;
          return statusOf(workspace.put(`${at} ${names}.txt`, 'x', { ifNoneMatch: '*' }));
        },
      },
    ];
    if (!isKey) return rest;
    return [...rest, ...(['legacy', 'modern'] as const).map((era) => toolUse(client, era, workspaceId, at))];
  });
}

function toolUse(client: HttpClient, era: McpEra, workspaceId: string, at: string): Use {
  const params = { name: 'list_files', arguments: { workspaceId } };
  return {
    name: `${era} tool by ${at}`,
    async ask() {
      const response = await client.send('POST', mcpPath, {
        json: messageOf(era, 1, 'tools/call', params),
        headers: headersOf(era, 'tools/call', params),
      });
      if (response.status !== 200) return String(response.status);
      const result = recordOf(jsonOf(response).result);
      return result.isError === true ? textAt(recordsAt(result, 'content')[0] ?? {}, 'text') : '200';
    },
  };
}

const worked = (response: string) => ['200', '201'].includes(response);

/** Sends all requests without a pause, ends the access at a random node, and checks all later requests. */
async function endWhileUsed(
  uses: readonly Use[],
  end: (client: HttpClient, node: number) => Promise<HttpResponse>,
  rejected: (use: Use, response: string) => boolean,
  owner: HttpClient,
): Promise<void> {
  for (const use of uses) assert.ok(worked(await use.ask()), `${use.name} works before`);
  let ended = false;
  const later: string[] = [];
  const using = uses.map(async (use) => {
    for (let asked = 0; asked < 1000; asked += 1) {
      const isAfter = ended;
      const response = await use.ask();
      if (isAfter) {
        if (!rejected(use, response)) later.push(`${use.name}: ${response}`);
        return;
      }
    }
    throw new Error(`${use.name} still works`);
  });
  const callers = cluster.at(owner);
  const node = random.below(callers.length);
  const caller = callers[node];
  assert.ok(caller);
  const result = await end(caller, node);
  ended = true;
  assert.ok(result.status === 200 || result.status === 204, `${result.status} ${result.bytes.toString()}`);
  await Promise.all(using);
  assert.deepEqual(later, []);
}

async function workspaceWithBob(): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada);
  await join(ada, bob, workspace.id);
  return workspace;
}

for (let round = 0; round < rounds; round += 1) {
  test(`removing a member at one node ends session, key and tool access at all (${round})`, async (t) => {
    t.diagnostic(`STOA_CLUSTER_SEED=${seed}`);
    const workspace = await workspaceWithBob();
    const account = await createKey(bob);
    const scoped = await createKey(bob, { workspaceId: workspace.id });
    const uses = [
      ...usesOf(workspace.id, 'session', bob.session, false),
      ...usesOf(workspace.id, 'account key', account.client, true),
      ...usesOf(workspace.id, 'scoped key', scoped.client, true),
    ];
    await endWhileUsed(
      uses,
      (caller) => caller.send('DELETE', `${workspace.root}/members/${bob.id}`),
      // A scoped key ends with the membership. An account key only loses this workspace.
      ({ name }, response) =>
        name.includes('scoped')
          ? response === '401'
          : response === '403' || response.startsWith('Not a workspace member'),
      ada.session,
    );
    for (const client of cluster.at(bob.session)) assertStatus(await client.send('GET', '/api/me'), 200);
  });

  test(`revoking a key at one node ends it at all nodes (${round})`, async () => {
    const workspace = await workspaceWithBob();
    const account = await createKey(bob);
    const scoped = await createKey(bob, { workspaceId: workspace.id });
    for (const key of [account, scoped]) {
      await endWhileUsed(
        usesOf(workspace.id, key.name, key.client, true),
        (caller) => caller.send('DELETE', `/api/keys/${key.id}`),
        (_, response) => response === '401',
        bob.session,
      );
    }
  });

  test(`ending a session at one node ends it at all nodes (${round})`, async () => {
    const workspace = await createWorkspace(ada);
    const eve: Person = await signUp(firstOf(cluster.nodes), 'Eve');
    await join(ada, eve, workspace.id);
    await endWhileUsed(
      usesOf(workspace.id, 'session', eve.session, false),
      (caller) => caller.send('POST', '/api/auth/sign-out', { json: {} }),
      (_, response) => response === '401',
      eve.session,
    );
  });
}

/** Waits until each node has one pending feed request. */
async function untilHeld(held: readonly Promise<HttpResponse>[]): Promise<void> {
  let ended = 0;
  for (const response of held) void response.then(() => (ended += 1));
  while ((await Promise.all(cluster.feedWaiting.map((waiting) => waiting()))).some((count) => count !== 1)) {
    assert.equal(ended, 0, 'a feed request did not wait');
  }
}

test('a feed request that waits at another node returns the removal and no changes', async () => {
  const workspace = await workspaceWithBob();
  const head = (await workspace.changes()).length;
  const held = cluster
    .workspaceAt(workspace, bob.session)
    .map((node) => node.query('changes', { sinceSeq: workspace.startSeq + head, wait: 30 }));
  await untilHeld(held);
  const [, other] = cluster.workspaceAt(workspace, ada.session);
  assert.ok(other);
  assertStatus(await other.send('DELETE', `/members/${bob.id}`), 204);
  assertStatus(await other.put('secret.md', 'secret'), 201);
  for (const response of await Promise.all(held)) assertStatus(response, 403);
});
