/** A source of random numbers that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

/** Mulberry32: small, fast, and good enough to choose test cases with. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  };
  return {
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

/** The seed that the variable names, else a new one: print it, so that a failure can be repeated. */
export function seedFrom(variable: string): number {
  const given = process.env[variable];
  if (given === undefined || given === '') return Math.floor(Math.random() * 0x7fff_ffff);
  return wholeNumber(variable, given);
}

/** The length of random tests, as a factor: 1 in the gate, less in a quick loop. */
export const scaleVariable = 'STOA_TEST_SCALE';

export function testScale(): number {
  const given = process.env[scaleVariable] ?? '';
  if (given === '') return 1;
  const scale = Number(given);
  if (!(scale > 0 && scale <= 1000))
    throw new Error(`${scaleVariable} must be a number above 0, not ${given}`);
  return scale;
}

/** The number of tries of a random test that tries `standard` times in the gate. */
export function scaled(standard: number): number {
  return Math.max(1, Math.round(standard * testScale()));
}

/** The size that the variable names, else `standard`, scaled. */
export function sizeFrom(variable: string, standard: number): number {
  const given = process.env[variable];
  return given === undefined || given === '' ? scaled(standard) : wholeNumber(variable, given);
}

function wholeNumber(variable: string, text: string): number {
  if (!/^\d{1,10}$/.test(text))
    throw new Error(`${variable} must be a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}
