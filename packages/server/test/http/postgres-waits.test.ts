import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, type QueryConfig } from 'pg';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

// Each wait of a request costs a round trip where the database is another machine: docs/performance.md.

/** Statements outside a request's own work: notifying other nodes, and removing marks of old commits. */
const alongside = /pg_notify|delete from commit_attempt/;

let postgres: PostgresServer;
let server: StartedServer;
const waits = countWaits();

before(async () => {
  postgres = await startPostgres();
  server = await startedServer({ STOA_DATABASE_URL: await postgres.createDatabase() });
  await usedOnce(server.apiKey);
});
after(async () => {
  waits[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

describe('a request waits for PostgreSQL', () => {
  it('four times for a new file, and for its next version', async () => {
    const body = 'a'.repeat(4096);
    await put('notes/first.md', body);
    assert.deepEqual(await waits.during(() => put('notes/second.md', body)), 4);
    assert.deepEqual(await waits.during(() => put('second.md', `${body}b`)), 4);
    assert.deepEqual(await waits.during(() => put('second.md', `${body}c`, { 'if-match': '1' })), 4);
  });

  it('once for a small file', async () => {
    const path = server.at('files/notes/read.md');
    await put('notes/read.md', 'what it says');
    const read = () => server.call(path);
    assert.equal(await (await read()).text(), 'what it says');
    assert.equal(
      await waits.during(async () => assert.equal(await (await read()).text(), 'what it says')),
      1,
    );
    await put('notes/read.md', 'what it says now', { 'if-match': '1' });
    assert.equal(await (await read()).text(), 'what it says now');
  });

  it('once for a feed with nothing new', async () => {
    const { head } = (await (await server.call(server.at('changes?sinceSeq=0'))).json()) as { head: number };
    const poll = async () => {
      const response = await server.call(server.at(`changes?sinceSeq=${head}`));
      assert.deepEqual(((await response.json()) as { changes: unknown }).changes, []);
    };
    assert.equal(await waits.during(poll), 1);
  });

  it('and does not prefetch for a revoked key', async () => {
    const session = { cookie: server.cookie, 'content-type': 'application/json' };
    const asPerson = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}${path}`, { ...init, headers: session });
    const body = JSON.stringify({ name: 'Other', actorType: 'agent' });
    const { id, key } = (await (await asPerson('/api/keys', { method: 'POST', body })).json()) as {
      id: string;
      key: string;
    };
    const poll = async () =>
      (await server.call(server.at('changes?sinceSeq=0'), { headers: { 'x-api-key': key } })).status;
    const polled = async (status: number) => assert.equal(await poll(), status);
    await usedOnce(key);
    assert.equal((await asPerson(`/api/keys/${id}`, { method: 'DELETE' })).status, 200);
    // The first poll reads the key together with the items hidden from it, and gets nothing of them.
    await polled(401);
    assert.equal(await waits.during(() => polled(401)), 1);
    assert.ok(!waits.sent().includes('"member"'), waits.sent());
  });
});

/**
 * A key's use is recorded once in ten minutes, outside the request. Waits for it, so that it is not counted
 * later.
 */
async function usedOnce(apiKey: string): Promise<void> {
  const response = await server.call(server.at('changes?sinceSeq=0'), { headers: { 'x-api-key': apiKey } });
  assert.equal(response.status, 200);
  for (let looks = 0; looks < 1000; looks += 1) {
    const rows = await (await fetch(`${server.url}/api/keys`, { headers: { cookie: server.cookie } })).text();
    if (!rows.includes('"lastUsedAt":null')) return;
  }
  assert.fail("the key's use was not recorded");
}

async function put(path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await server.call(server.at(`files/${path}`), { method: 'PUT', body, headers });
  assert.ok(response.ok, await response.text());
}

/**
 * Counts the round trips of requests to the database: statements that are sent together are one wait.
 * Background work of the server is not counted.
 */
function countWaits() {
  const requests = new AsyncLocalStorage<true>();
  const { emit } = Server.prototype;
  Server.prototype.emit = function inRequest(this: Server, ...given: Parameters<typeof emit>) {
    const handle = () => emit.apply(this, given);
    return given[0] === 'request' ? requests.run(true, handle) : handle();
  } as typeof emit;
  const { query } = Client.prototype;
  let isNew = true;
  let count = 0;
  let sent: string[] = [];
  Client.prototype.query = function counted(this: Client, given: string | QueryConfig) {
    const text = typeof given === 'string' ? given : given.text;
    // It accepts a text or a config.
    const responded: Promise<unknown> = query.call(this, given as string);
    if (requests.getStore() !== true || alongside.test(text)) return responded;
    if (isNew) count += 1;
    isNew = false;
    sent.push(text);
    return responded.finally(() => {
      isNew = true;
    });
  } as typeof query;
  return {
    async during(work: () => Promise<void>): Promise<number> {
      count = 0;
      isNew = true;
      sent = [];
      await work();
      return count;
    },
    /** The statements sent since `during` began. */
    sent: () => sent.join('\n'),
    [Symbol.dispose]() {
      Client.prototype.query = query;
      Server.prototype.emit = emit;
    },
  };
}
