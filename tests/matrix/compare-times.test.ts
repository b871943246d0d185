import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '../support/random.ts';
import { compareInRounds, compareTimes } from './compare-times.ts';

const samples = 100;
const seeds = Array.from({ length: 300 }, (_, seed) => seed);

/** Times as on a busy machine: a skewed base, and an occasional stall. */
function busyTimes(random: Random, shiftMs: number): readonly number[] {
  const unit = () => (random.below(1_000_000) + 1) / 1_000_001;
  return Array.from({ length: samples }, () => {
    const stallMs = unit() < 0.1 ? 20 * unit() : 0;
    return 2 + shiftMs - 0.3 * Math.log(unit()) + stallMs;
  });
}

const comparedWith = (seed: number, shiftMs: number) => {
  const random = seededRandom(seed);
  return compareInRounds(async () => ({
    hidden: busyTimes(random, shiftMs),
    absent: busyTimes(random, 0),
  }));
};

test('the comparison finds no difference between samples of one distribution', async () => {
  for (const seed of seeds) assert.equal((await comparedWith(seed, 0)).tellsApart, false, `seed ${seed}`);
});

test('the comparison finds a shift of twice the spread, in either direction', async () => {
  for (const seed of seeds.slice(0, 100)) {
    for (const [shiftMs, direction] of [
      [0.8, 1],
      [-0.8, -1],
    ] as const) {
      const { rounds, tellsApart: distinguishes } = await comparedWith(seed, shiftMs);
      assert.equal(distinguishes, true, `seed ${seed}: ${JSON.stringify(rounds)}`);
      assert.deepEqual(new Set(rounds.map((round) => round.direction)), new Set([direction]));
    }
  }
});

test('a shift far below the spread, or without confirmation, does not count', async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => at / 100_000);
  const shifted = many.map((time) => time + 0.02);
  const small = compareTimes({ hidden: shifted, absent: many });
  assert.ok(small.z > 3, 'by its ranks alone it would count');
  assert.equal(small.direction, 0);

  const random = seededRandom(1);
  let round = 0;
  const stalled = await compareInRounds(async () => {
    round += 1;
    return { hidden: busyTimes(random, round < 3 ? 5 : -5), absent: busyTimes(random, 0) };
  });
  assert.deepEqual([stalled.rounds.length, stalled.tellsApart], [3, false]);
});

test('equal times have no difference, whatever their spread', () => {
  assert.deepEqual(compareTimes({ hidden: [1, 1, 1], absent: [1, 1, 1] }).direction, 0);
});
