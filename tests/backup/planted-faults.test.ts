import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFound } from '../../packages/server/test/checking/assert-found.ts';
import { plantedFaults } from '../../packages/server/test/checking/planted-faults.ts';
import { startLoad } from '../crash/start-load.ts';
import { operatorRun } from '../support/operator.ts';
import { seededRandom, seedFrom } from '../support/random.ts';
import { startService } from '../support/service-process.ts';
import { fixturesFolder, homeOf } from '../upgrade/fixtures.ts';

const seed = seedFrom('STOA_CHECK_SEED');

/** The findings for all faults together. A wrong sum is found once, whatever made it wrong. */
function foundTogether(faults: typeof plantedFaults): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const [rule, subjects] of faults.flatMap((fault) => Object.entries(fault.found))) {
    const others = found[rule] ?? [];
    found[rule] = [...others, ...subjects.filter((subject) => subject !== 'sum' || !others.includes('sum'))];
  }
  return found;
}

test('a check of a busy service on PostgreSQL names exactly the 35 planted faults', async (t) => {
  t.diagnostic(`STOA_CHECK_SEED=${seed}`);
  const together = plantedFaults.filter(({ isAlone, onlyOn }) => isAlone !== true && onlyOn === undefined);
  assert.equal(together.length, 35);
  const backEnd = 'postgres-disk';
  await using home = await homeOf(join(fixturesFolder, '0.1.0', backEnd), backEnd);
  await using service = await startService({}, { home });
  const check = async () => {
    const { stdout, stderr } = await operatorRun(service, 'check', '--contents', '--json');
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout);
  };
  assertFound(await check(), {});
  await home.changeRows(together.map(({ plant }) => plant).join(';\n'));
  // The load uses its own workspaces, made after the faults, because some faults are planted in every workspace.
  await using load = await startLoad(service.url, seededRandom(seed));
  assert.ok(await load.until(() => load.acknowledged() > 0), 'the load ended');
  const before = load.acknowledged();
  assertFound(await check(), foundTogether(together));
  assert.ok(load.acknowledged() > before);
  await load.end();
});
