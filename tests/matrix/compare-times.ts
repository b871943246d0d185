/** Two samples of times, in milliseconds, taken in random order. */
export interface Times {
  readonly hidden: readonly number[];
  readonly absent: readonly number[];
}

export interface Comparison {
  /**
   * Standard errors by which the ranks of the hidden times differ from chance (Mann-Whitney). Above 0 they take
   * longer.
   */
  readonly z: number;
  /** Difference of the medians, as a share of the distance between the quartiles of the absent times. */
  readonly effect: number;
  /** 1: hidden takes longer; -1: absent does; 0: no difference that counts. */
  readonly direction: -1 | 0 | 1;
}

/** One sample in 700 differs as much by chance, and three rounds must agree on the direction. */
const zMin = 3;
/** Below this share of the spread a caller needs very many requests to use a difference. */
const effectMin = 0.3;
/**
 * A look-up that finds a row, of at most 64 KiB, takes 0.02 to 0.06 ms longer than one that finds none, even
 * when it then rejects the caller. A network varies by more, and the difference does not grow with the size of
 * the hidden data.
 */
const differenceMinMs = 0.1;

/**
 * Compares by ranks and by the spread of the absent times. A busy machine thus hides differences and makes none.
 */
export function compareTimes({ hidden, absent }: Times): Comparison {
  const z = rankDifference(hidden, absent);
  const spread = quantile(absent, 0.75) - quantile(absent, 0.25);
  const difference = quantile(hidden, 0.5) - quantile(absent, 0.5);
  const effect = difference === 0 ? 0 : difference / spread;
  const isLarge = Math.abs(effect) >= effectMin && Math.abs(difference) >= differenceMinMs;
  const counts = isLarge && Math.abs(z) >= zMin && Math.sign(z) === Math.sign(effect);
  return { z, effect, direction: !counts ? 0 : z > 0 ? 1 : -1 };
}

export const roundsMax = 3;

/**
 * Repeats a comparison as long as each round shows the same direction, at most `roundsMax` times.
 * @returns the rounds. The times differ when there are `roundsMax` rounds and the last has a direction as well.
 */
export async function compareInRounds(takeTimes: () => Promise<Times>) {
  const rounds: Comparison[] = [];
  for (;;) {
    const round = compareTimes(await takeTimes());
    const isSame = round.direction !== 0 && round.direction === (rounds[0] ?? round).direction;
    rounds.push(round);
    if (!isSame) return { rounds, tellsApart: false };
    if (rounds.length === roundsMax) return { rounds, tellsApart: true };
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

/** Mann-Whitney's U as a normal deviate. Equal times share their ranks. */
function rankDifference(a: readonly number[], b: readonly number[]): number {
  const sorted = [...a.map((time) => ({ time, isA: true })), ...b.map((time) => ({ time, isA: false }))];
  sorted.sort((one, other) => one.time - other.time);
  let ranksOfA = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.time === sorted[from]?.time) to += 1;
    const rank = (from + to + 1) / 2;
    for (const { isA } of sorted.slice(from, to)) if (isA) ranksOfA += rank;
    from = to;
  }
  const u = ranksOfA - (a.length * (a.length + 1)) / 2;
  const expected = (a.length * b.length) / 2;
  return (u - expected) / Math.sqrt((expected * (a.length + b.length + 1)) / 6);
}
