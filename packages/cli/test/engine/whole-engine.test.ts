import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedFrom } from '../../../../tests/support/random.ts';
import { type Play, playWorkspace } from '../simulated/play/play-workspace.ts';

const seed = seedFrom('STOA_SYNC_SEED');
/** Seeds for each kind of run with several folders. */
const cases = Number(process.env.STOA_SYNC_CASES ?? '') || 67;
/** Runs with one folder need fewer seeds, because they have fewer states. */
const half = Math.ceil(cases / 2);
/** Seeds in the gate for runs in which one disk folds case. */
const foldingCases = 10;
/** A soak run draws new seeds. The gate repeats the same seeds for most runs with several folders. */
const isSoakRun = process.env.STOA_SYNC_SEED !== undefined || process.env.STOA_SYNC_CASES !== undefined;
const clientsWanted = Number(process.env.STOA_SYNC_CLIENTS ?? '') || null;
/** Number of trace lines that a failure prints. */
const traceLines = 60;

/** @param alsoFrom seeds that once found a fault in the engine. */
async function playAll(
  name: string,
  play: Omit<Play, 'seed'>,
  alsoFrom: readonly number[] = [],
): Promise<void> {
  const { hasFaults = false, folds = false, clients } = play;
  const isShared = clients > 1;
  const threeToFive = (each: number) => (isShared ? 3 + (each % 3) : clients);
  // The seeds in `alsoFrom` found their faults with whole pages of the feed. Runs with restores had no clock jumps,
  // and only runs with `hasDisruptions` had more than three folders.
  const asFound = { cutsPages: false, ...(play.goesBack === true ? { clocksJump: false } : {}) };
  for (const each of alsoFrom) await playOne(each, hasFaults ? threeToFive(each) : clients, asFound);
  const drawn = folds && !isSoakRun ? foldingCases : isShared ? cases : half;
  const known = hasFaults || folds ? 0 : half;
  for (let n = 0; n < drawn; n += 1) {
    if (isSoakRun) await playOne(seed + n, clientsWanted ?? threeToFive(seed + n));
    else if (n < known) await playOne(seed + n, clients);
    else await playOne(1 + n, threeToFive(1 + n));
  }

  async function playOne(each: number, folders: number, also: Partial<Play> = {}): Promise<void> {
    const { faults, trace } = await playWorkspace({ ...play, ...also, clients: folders, seed: each });
    const reported = trace.slice(-traceLines).join('\n');
    assert.deepEqual(
      faults,
      [],
      `${name}: STOA_SYNC_SEED=${each} STOA_SYNC_CASES=1 STOA_SYNC_CLIENTS=${folders}\n${reported}\n${faults.join('\n')}`,
    );
  }
}

describe(`the engine on simulated machines, from seed ${seed}`, () => {
  it('runs identically with the same seed', async () => {
    const play = { seed, clients: 2, steps: 20, hasFaults: true, hasAgent: true };
    const [first, second] = [await playWorkspace(play), await playWorkspace(play)];
    const at = first.trace.findIndex((line, index) => line !== second.trace[index]);
    const reported = [first, second].map(({ trace }) => trace.slice(Math.max(0, at - 3), at + 1).join('\n'));
    assert.equal(first.hash, second.hash, reported.join('\n\n'));
  });

  it('loses nothing and makes no conflicted copy with one writer', () =>
    playAll('one', { clients: 1, steps: 40, hasFaults: false, hasAgent: false }));

  it('loses nothing with one writer when requests fail and the process is killed', () =>
    playAll('one with faults', { clients: 1, steps: 40, hasFaults: true, hasAgent: false }));

  it('loses nothing with one writer when the machine loses power', () =>
    playAll(
      'one without power',
      { clients: 1, steps: 40, hasFaults: true, hasAgent: false, losesPower: true },
      [70060, 100066, 100108, 1014330236, 7000122, 8100005, 8100083, 8600670, 9200193],
    ));

  it('converges without loss with one user and an agent', () =>
    playAll('with an agent', { clients: 1, steps: 40, hasFaults: false, hasAgent: true }));

  it('converges without loss with three to five folders', () =>
    playAll('three', { clients: 3, steps: 50, hasFaults: false, hasAgent: false }, [70012, 1031]));

  it('converges without loss when the server is restored from a backup', () =>
    playAll(
      'back in time',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, goesBack: true },
      [5000128, 5000132, 8200049],
    ));

  it('converges without loss with watched folders', () =>
    playAll(
      'three watched',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, watches: true },
      [8300262, 8300345, 8500288],
    ));

  it('converges without loss when requests fail, processes are killed and an agent works', () =>
    playAll(
      'three with faults',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true },
      [6000189, 4400002, 8400064, 8712696],
    ));

  it('converges without loss when one disk folds case and others use names that differ only in case', () =>
    playAll(
      'one folds',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, folds: true },
      [1057863692],
    ));

  it('converges without loss when an ignored name occupies the path of another', () =>
    playAll(
      'one folds and ignores',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, folds: true, ignores: true },
      [700005],
    ));

  const faults = { steps: 80, hasFaults: true, hasDisruptions: true };

  it('loses nothing with one watched writer under faults of privacy, limits, disks and events', () =>
    playAll(
      'one with upsets',
      { ...faults, clients: 1, hasAgent: false, losesPower: true, watches: true },
      [24],
    ));

  it('loses nothing with one unwatched writer under the same faults', () =>
    playAll(
      'one with upsets, not watched',
      { ...faults, clients: 1, hasAgent: false },
      [2940, 20412, 22544],
    ));

  it('converges without loss with three to five folders under the same faults', () =>
    playAll(
      'many with upsets',
      { ...faults, clients: 3, hasAgent: true },
      [1065, 1089, 1208, 1263, 1273, 1572, 1611, 1678, 2069, 10151, 11134, 21234, 21337, 21891, 41197],
    ));

  it('converges without loss with watched folders under the same faults', () =>
    playAll(
      'many with upsets, watched',
      { ...faults, clients: 3, hasAgent: true, watches: true },
      [3447, 3631, 3769, 4447, 5206, 10791, 10822, 10826, 22092],
    ));
});
