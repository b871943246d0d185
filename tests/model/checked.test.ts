import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openHttpClient } from '../support/http-client.ts';
import { operatorRun } from '../support/operator.ts';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { commandSequences } from './commands.ts';
import { playersOn } from './make-players.ts';
import { play } from './play.ts';

/** A short random sequence may change nothing, so only long ones are used. */
const longSequences = commandSequences.filter(({ length }) => length >= 10);
/** Sequences sent at the same time, so that the service has several to commit together. */
const lanes = 4;

for (const backEnd of ['sqlite-disk', 'postgres-disk'] as const) {
  test(`a check finds no problem after any commands of two members on ${backEnd}`, async (t) => {
    const seed = seedFrom('STOA_MODEL_SEED');
    const sequences = sizeFrom('STOA_CHECKED_SEQUENCES', 16);
    t.diagnostic(`STOA_MODEL_SEED=${seed} STOA_CHECKED_SEQUENCES=${sequences}`);
    await using home = await makeServiceHome(backEnd);
    await using service = await startService({}, { home });
    const client = openHttpClient(service.url);
    try {
      const players = await playersOn(client);
      const drawn = fc.sample(longSequences, { seed, numRuns: sequences });
      const waiting = drawn.values();
      const playOn = async () => {
        for (const commands of waiting) await play(commands, await players());
      };
      await Promise.all(Array.from({ length: lanes }, playOn));
    } finally {
      await client.close();
    }
    const { code, stdout, stderr } = await operatorRun(service, 'check', '--contents', '--json');
    assert.equal(code, 0, stdout + stderr);
    const { problems, checked } = JSON.parse(stdout);
    assert.deepEqual(problems, []);
    assert.equal(checked.workspaces, sequences);
    assert.ok(checked.changes > 0);
  });
}
