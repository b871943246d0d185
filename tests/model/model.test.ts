import { test } from 'node:test';
import fc from 'fast-check';
import { seedFrom, sizeFrom } from '../support/random.ts';
import { useTarget } from '../support/target.ts';
import { commandSequences } from './commands.ts';
import { playersOn } from './make-players.ts';
import { play } from './play.ts';

/** Sequences sent at the same time, so that the service has several to commit together. */
const lanes = 8;
const players = await playersOn(await useTarget());

test('the service responds as the model does to any command', { timeout: 3_600_000 }, async (t) => {
  const seed = seedFrom('STOA_MODEL_SEED');
  const sequences = sizeFrom('STOA_MODEL_SEQUENCES', 600);
  t.diagnostic(`STOA_MODEL_SEED=${seed} STOA_MODEL_SEQUENCES=${sequences}`);
  const property = () =>
    fc.asyncProperty(commandSequences, async (commands) => play(commands, await players()));
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property(), {
        seed: seed + lane,
        numRuns: Math.ceil(sequences / lanes),
        endOnFailure: false,
      }),
    ),
  );
});
