import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedFrom } from '../../../../tests/support/random.ts';
import { type Play, playWorkspace } from '../simulated/play/play-workspace.ts';

const seed = seedFrom('STOA_SYNC_SEED');
/** Of each kind of play; there are six with several folders: 400 in all. */
const cases = Number(process.env.STOA_SYNC_CASES ?? '') || 67;
const isCampaign = process.env.STOA_SYNC_SEED !== undefined || process.env.STOA_SYNC_CASES !== undefined;
/**
 * Where everything comes together, one play in a thousand still keeps the same bytes twice. The tests that all run begin at
 * the same seed each time, and the campaign draws new ones.
 */
const seedOfUpsets = isCampaign ? seed : 1;
/** A failure prints the end of its trace. */
const traceLines = 60;

/** @param alsoFrom seeds that once found a fault in the engine. */
async function playAll(
  name: string,
  play: Omit<Play, 'seed'>,
  alsoFrom: readonly number[] = [],
): Promise<void> {
  const first = play.hasUpsets === true ? seedOfUpsets : seed;
  const isShared = play.clients > 1;
  const threeToFive = (each: number) => (isShared ? 3 + (each % 3) : play.clients);
  // Those that are named found something with three, but for upsets.
  for (const each of alsoFrom)
    await playOne(play.hasUpsets === true ? threeToFive(each) : play.clients, each);
  // One folder by itself has less to get wrong.
  const drawn = isShared ? cases : Math.ceil(cases / 2);
  for (let each = first; each < first + drawn; each += 1) await playOne(threeToFive(each), each);

  async function playOne(clients: number, each: number): Promise<void> {
    const { faults, trace } = await playWorkspace({ ...play, clients, seed: each });
    const told = trace.slice(-traceLines).join('\n');
    assert.deepEqual(
      faults,
      [],
      `${name}: STOA_SYNC_SEED=${each} STOA_SYNC_CASES=1\n${told}\n${faults.join('\n')}`,
    );
  }
}

describe(`the engine on simulated machines, from seed ${seed}`, () => {
  it('the same seed gives the same run', async () => {
    const play = { seed, clients: 2, steps: 20, hasFaults: true, hasAgent: true };
    const [first, second] = [await playWorkspace(play), await playWorkspace(play)];
    const at = first.trace.findIndex((line, index) => line !== second.trace[index]);
    const told = [first, second].map(({ trace }) => trace.slice(Math.max(0, at - 3), at + 1).join('\n'));
    assert.equal(first.hash, second.hash, told.join('\n\n'));
  });

  it('one writer alone loses nothing and never gets a conflicted copy', () =>
    playAll('one', { clients: 1, steps: 40, hasFaults: false, hasAgent: false }));

  it('nor when requests fail and the process is killed', () =>
    playAll('one with faults', { clients: 1, steps: 40, hasFaults: true, hasAgent: false }));

  it('nor when the machine loses power', () =>
    playAll(
      'one without power',
      { clients: 1, steps: 40, hasFaults: true, hasAgent: false, losesPower: true },
      [70060, 100066, 100108, 1014330236, 7000122, 8100005, 8100083, 8600670, 9200193],
    ));

  it('a person and an agent end with the same, and nothing is lost', () =>
    playAll('with an agent', { clients: 1, steps: 40, hasFaults: false, hasAgent: true }));

  it('three to five folders end with the same, and nothing is lost', () =>
    playAll('three', { clients: 3, steps: 50, hasFaults: false, hasAgent: false }, [70012, 1031]));

  it('nor when the server is restored from a backup', () =>
    playAll(
      'back in time',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, goesBack: true },
      [5000128, 5000132, 8200049],
    ));

  it('those that are watched end with the same, and nothing is lost', () =>
    playAll(
      'three watched',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true, watches: true },
      [8300262, 8300345, 8500288],
    ));

  it('nor when requests fail, processes are killed, and an agent works beside them', () =>
    playAll(
      'three with faults',
      { clients: 3, steps: 50, hasFaults: true, hasAgent: true },
      [6000189, 4400002, 8400064, 8712696],
    ));

  const upsets = { steps: 80, hasFaults: true, hasUpsets: true };

  it('one writer alone loses nothing, whatever becomes of privacy, limits, disks and events', () =>
    playAll(
      'one with upsets',
      { ...upsets, clients: 1, hasAgent: false, losesPower: true, watches: true },
      [24],
    ));

  it('also where it is not watched', () =>
    playAll(
      'one with upsets, not watched',
      { ...upsets, clients: 1, hasAgent: false },
      [2940, 20412, 22544],
    ));

  it('nor do three to five', () =>
    playAll(
      'many with upsets',
      { ...upsets, clients: 3, hasAgent: true },
      [1065, 1089, 1208, 1263, 1273, 1572, 1611, 1678, 2069, 10151, 11134, 21234, 21337, 21891, 41197],
    ));

  it('nor those that are watched', () =>
    playAll(
      'many with upsets, watched',
      { ...upsets, clients: 3, hasAgent: true, watches: true },
      [3447, 3631, 3769, 4447, 5206, 10791, 10822, 10826, 22092],
    ));
});
