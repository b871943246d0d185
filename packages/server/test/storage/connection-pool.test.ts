import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '../../src/storage/postgres/connection.ts';
import { createConnectionPool } from '../../src/storage/postgres/connection-pool.ts';

const connection: Connection = {
  isBroken: false,
  isInTransaction: false,
  processId: 1,
  repeated: () => Promise.reject(new Error('not used')),
  once: () => Promise.reject(new Error('not used')),
  commands: () => Promise.reject(new Error('not used')),
  onNotification() {},
  onEnd() {},
  async close() {},
};

test('another caller is served between the waiting requests of one', async () => {
  let party = 'eve';
  const pool = createConnectionPool(
    async () => connection,
    2,
    60_000,
    () => party,
  );
  const served: string[] = [];
  const ask = (caller: string) => {
    party = caller;
    return pool.with(async () => {
      await new Promise(setImmediate);
      served.push(caller);
    });
  };
  const eves = Array.from({ length: 100 }, () => ask('eve'));
  await Promise.all([...eves, ask('ada')]);
  assert.ok(served.indexOf('ada') < 5, `${served.indexOf('ada')} requests before it`);
  await pool.close();
});
