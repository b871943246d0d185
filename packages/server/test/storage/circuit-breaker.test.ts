import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCircuitBreaker } from '../../src/storage/postgres/circuit-breaker.ts';
import { PostgresError } from '../../src/storage/postgres/postgres-error.ts';

const away = () => Promise.reject(new PostgresError(new Error('nobody listens')));
const session = () => Promise.resolve({ async close() {} });
const overloaded = { code: 'overloaded' };

describe('the wait for a database that is away', () => {
  it('is shared: one caller of many looks for it, and none waits for a try that never ends', async () => {
    let tries = 0;
    // The first try of each caller fails. The caller that looks for the database never gets a response.
    const breaker = createCircuitBreaker(() => {
      tries += 1;
      return tries <= 20 ? away() : new Promise<never>(() => {});
    }, 100);
    const callers = Array.from({ length: 20 }, () => breaker.open());
    for (const { status } of await Promise.allSettled(callers)) assert.equal(status, 'rejected');
    const later = Array.from({ length: 1000 }, () => breaker.open());
    for (const caller of later) await assert.rejects(caller, overloaded);
    assert.equal(tries, 21);
    breaker.close();
  });

  it('ends for all of them when it is back', async () => {
    let isBack = false;
    const breaker = createCircuitBreaker(() => (isBack ? session() : away()), 60_000);
    const callers = Array.from({ length: 50 }, () => breaker.open());
    isBack = true;
    assert.equal((await Promise.all(callers)).length, 50);
    breaker.close();
  });

  it('begins again with the next outage', async () => {
    let isBack = false;
    const breaker = createCircuitBreaker(() => (isBack ? session() : away()), 50);
    await assert.rejects(breaker.open(), overloaded);
    await assert.rejects(breaker.open(), overloaded);
    isBack = true;
    for (;;) if (await breaker.open().catch(() => null)) break;
    isBack = false;
    const waiting = breaker.open();
    isBack = true;
    await waiting;
    breaker.close();
  });

  it('is over when the store is closed', async () => {
    const breaker = createCircuitBreaker(away, 60_000);
    const waiting = breaker.open();
    breaker.close();
    await assert.rejects(waiting, { code: 'shutting_down' });
  });

  it('is for a database alone: other failures are reported at once', async () => {
    const breaker = createCircuitBreaker(() => Promise.reject(new TypeError('a bug')), 60_000);
    await assert.rejects(breaker.open(), TypeError);
  });
});
