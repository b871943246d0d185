import { findProgram } from '../support/install-program.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Drawing, losses, type RecordedDisk } from './disk-states.ts';

const strace = await findProgram({
  name: 'strace',
  check: 'command -v strace',
  install: 'apt-get install -y strace',
});
/** Why no calls can be recorded here, for `skip`. */
export const noTracer = strace.kind === 'missing' ? strace.reason : false;
/** One waits for its disk while the others compute. */
const statesAtOnce = 3;

/** A moment at which the power goes, and what the disk keeps then. */
export interface Cut {
  readonly cut: number;
  readonly drawing: Drawing;
  /** Which one it is, for whoever has to see it again. */
  readonly says: string;
}

/** @param range the numbers of the states, by which each kind of loss has its turn. */
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

/** A few at a time. */
export async function lookAtEach(cuts: readonly Cut[], look: (cut: Cut) => Promise<void>): Promise<void> {
  const left = cuts.values();
  const lookOn = async () => {
    for (const cut of left) await look(cut);
  };
  await Promise.all(Array.from({ length: statesAtOnce }, lookOn));
}
