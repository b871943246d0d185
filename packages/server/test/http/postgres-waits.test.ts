import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

// What a request waits for is what it costs where the database is another machine: docs/performance.md.

/** Beside a request: other nodes are told, and marks of old commits and of keys' use are written. */
const beside = /pg_notify|delete from commit_attempt|last_used_at" =/;

let postgres: PostgresServer;
let server: StartedServer;
const waits = countWaits();

before(async () => {
  postgres = await startPostgres();
  server = await startedServer({ STOA_DATABASE_URL: await postgres.createDatabase() });
  // Noted once in ten minutes, beside the request.
  await server.call(server.at('changes?since=0'));
});
after(async () => {
  waits[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

describe('a request waits for PostgreSQL', () => {
  it('five times for a new file, and for its next version', async () => {
    const body = 'a'.repeat(4096);
    await put('notes/first.md', body);
    assert.deepEqual(await waits.during(() => put('notes/second.md', body)), 5);
    assert.deepEqual(await waits.during(() => put('second.md', `${body}b`)), 5);
    assert.deepEqual(await waits.during(() => put('second.md', `${body}c`, { 'if-match': '1' })), 5);
  });
});

async function put(path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await server.call(server.at(`files/${path}`), { method: 'PUT', body, headers });
  assert.ok(answer.ok, await answer.text());
}

/** Counts what is sent to the database after something was heard from it: what is sent together is one wait. */
function countWaits() {
  const { query } = Client.prototype;
  let isNew = true;
  let count = 0;
  const sent: string[] = [];
  Client.prototype.query = function counted(this: Client, ...given: Parameters<typeof query>) {
    const [config] = given;
    const text = typeof config === 'string' ? config : config.text;
    const answered: Promise<unknown> = query.apply(this, given);
    if (beside.test(text)) return answered;
    if (isNew) count += 1;
    isNew = false;
    sent.push(`${count} ${text}`);
    return answered.finally(() => {
      isNew = true;
    });
  } as typeof query;
  return {
    async during(work: () => Promise<void>): Promise<number> {
      count = 0;
      isNew = true;
      sent.length = 0;
      await work();
      if (process.env.SHOW) console.log(sent.map((s) => s.slice(0, 230)).join('\n'), '\n');
      return count;
    },
    [Symbol.dispose]() {
      Client.prototype.query = query;
    },
  };
}
