import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestsAtOnce, smallRequestsAtOnce } from '@stoa/core';
import { createSimulatedClient } from '../simulated/simulated-client.ts';
import { createSimulatedTime } from '../simulated/simulated-pace.ts';
import { SimulatedServer } from '../simulated/simulated-server.ts';

const own = { userId: 'ada', keyId: 'k1', keyName: 'service-cli' };

function start() {
  const time = createSimulatedTime(1);
  const server = new SimulatedServer(() => 1_795_000_000_000 + time.now());
  const steps: string[] = [];
  const requests: string[] = [];
  const client = createSimulatedClient({
    time,
    server,
    key: own,
    fault: (request) => {
      requests.push(request);
      return 'none';
    },
    trace: () => {},
    onStep: async (name) => {
      steps.push(name);
      // Long enough for all that may run beside it to begin.
      if (name === 'upload: put') await time.sleep(1000);
    },
  });
  return { server, client, disk: client.disk, steps, requests };
}

/** How many uploads ran at once at most. */
function uploadsAtOnce(steps: readonly string[]): number {
  let running = 0;
  let most = 0;
  for (const step of steps) {
    if (step === 'upload: put') running += 1;
    if (step === 'upload: answered') running -= 1;
    most = Math.max(most, running);
  }
  return most;
}

describe('transfers', () => {
  for (const { sizeBytes, atOnce, name } of [
    { name: 'small files', sizeBytes: 10, atOnce: smallRequestsAtOnce },
    { name: 'larger files', sizeBytes: 100 * 1024, atOnce: requestsAtOnce },
  ]) {
    it(`of ${name}: ${atOnce} run at once`, async () => {
      const { client, disk, steps } = start();
      for (let n = 0; n < 40; n += 1) disk.writeFile(`${n}.bin`, new Uint8Array(sizeBytes).fill(n));
      client.start();
      await client.untilQuiet();
      assert.equal(uploadsAtOnce(steps), atOnce);
    });
  }
});
