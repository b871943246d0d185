import { findProgram } from '../support/install-program.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Drawing, losses, type RecordedDisk } from './disk-states.ts';

const strace = await findProgram({
  name: 'strace',
  check: 'command -v strace',
  install: 'apt-get install -y strace',
});
/** The reason why calls cannot be recorded here, for `skip`. */
export const noTracer = strace.kind === 'missing' ? strace.reason : false;
/** Several at once: one waits for its disk while the others compute. */
const statesAtOnce = 3;

/** The moment of a power loss, and the part that the disk keeps. */
export interface Cut {
  readonly cut: number;
  readonly drawing: Drawing;
  /** Names the state, so that a developer can reproduce it. */
  readonly says: string;
}

/** Draws states that take all kinds of loss in turn. */
export function drawCuts(
  { moments }: RecordedDisk,
  { first, count }: { readonly first: number; readonly count: number },
  random: Random,
): readonly Cut[] {
  return Array.from({ length: count }, (_, n) => {
    const { entry, exit } = random.pick(moments);
    const cut = random.below(2) === 0 ? exit : (entry + exit) / 2;
    const kept = losses[(first + n) % losses.length] ?? 'nothing';
    const drawing = { kept, random: seededRandom(random.below(2 ** 31)) };
    return { cut, drawing, says: `state ${first + n}, kept ${kept}` };
  });
}

/** Checks a few states at a time. */
export async function lookAtEach(cuts: readonly Cut[], look: (cut: Cut) => Promise<void>): Promise<void> {
  const left = cuts.values();
  const lookOn = async () => {
    for (const cut of left) await look(cut);
  };
  await Promise.all(Array.from({ length: statesAtOnce }, lookOn));
}
