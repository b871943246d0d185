import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openThreadTally, tallyLocations } from '../../src/concurrency/thread-tally.ts';

function twoThreads() {
  const [first, second] = tallyLocations(2);
  assert.ok(second !== undefined);
  return [openThreadTally(first), openThreadTally(second)] as const;
}

async function isSettled(settled: Promise<void>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(() => resolve('later')));
  return (await Promise.race([settled, later])) !== 'later';
}

test('a thread waits for work that another has begun and not ended', async () => {
  const [here, there] = twoThreads();
  assert.equal(there.begin(), 1n);
  const upTo = there.begin();
  const settled = here.settled();
  assert.equal(await isSettled(settled), false);
  there.end(1n);
  assert.equal(await isSettled(settled), false);
  there.end(upTo);
  await settled;
});

test('work that begins during the wait is not waited for', async () => {
  const [here, there] = twoThreads();
  const upTo = there.begin();
  const settled = here.settled();
  there.begin();
  there.end(upTo);
  await settled;
  assert.equal(await isSettled(here.settled()), false);
});

test('its own work is also waited for, and without work there is no wait', async () => {
  const [here] = twoThreads();
  assert.equal(await isSettled(here.settled()), true);
  const upTo = here.begin();
  const settled = here.settled();
  assert.equal(await isSettled(settled), false);
  here.end(upTo);
  await settled;
});
