/** One step of a pattern. A symbol is a code point or a byte; the patterns and the paths of a set use the same. */
export type PatternStep =
  | { readonly kind: 'symbol'; readonly symbol: number }
  /** Exactly one symbol, never a slash. */
  | { readonly kind: 'one' }
  /** One of some symbols, never a slash. */
  | { readonly kind: 'of'; readonly has: (symbol: number) => boolean }
  /** Any number of symbols, including zero. Never twice in a row. */
  | { readonly kind: 'many'; readonly crossesSlash: boolean }
  /** The next two steps, a `many` and a slash, are optional. Never twice in a row. */
  | { readonly kind: 'folders' };

export interface Pattern {
  readonly steps: readonly PatternStep[];
  /** Matches any one segment of a path. False: matches a whole path. */
  readonly isOfNames: boolean;
}

/** The state after one of a path's folders, before the slash at `end`. */
export interface FolderReached {
  readonly end: number;
  readonly reached: Int32Array;
}

const slash = 0x2f;
/** Cache of masks for symbols that no pattern names. It is cleared at this size. */
const metMax = 1024;

/**
 * Matches many patterns against a path at the same time, with one bit for each position that a pattern may have
 * reached. The time is `path.length * words` for any patterns, and no symbol allocates memory. Not reentrant.
 */
export class PatternSet {
  /** Number of 32-bit words: the cost of each symbol of a path. */
  readonly words: number;
  readonly #patternOfBit: Int32Array;
  readonly #start: Int32Array;
  readonly #startOfSegment: Int32Array;
  readonly #ofPaths: Int32Array;
  readonly #ends: Int32Array;
  readonly #ones: Int32Array;
  readonly #many: Int32Array;
  readonly #manyAcrossSlash: Int32Array;
  readonly #folders: Int32Array;
  readonly #classes: { readonly bit: number; readonly has: (symbol: number) => boolean }[] = [];
  readonly #named = new Map<number, Int32Array>();
  readonly #met = new Map<number, Int32Array>();
  readonly #reached: Int32Array;

  constructor(patterns: readonly Pattern[]) {
    const bits = patterns.reduce((sum, { steps }) => sum + steps.length + 1, 0);
    this.words = Math.max(1, Math.ceil(bits / 32));
    const mask = () => new Int32Array(this.words);
    this.#patternOfBit = new Int32Array(this.words * 32);
    [this.#start, this.#startOfSegment, this.#ofPaths] = [mask(), mask(), mask()];
    [this.#ends, this.#ones, this.#many] = [mask(), mask(), mask()];
    [this.#manyAcrossSlash, this.#folders, this.#reached] = [mask(), mask(), mask()];
    const bitsOfSymbols = new Map<number, number[]>([[slash, []]]);
    let bit = 0;
    for (const [index, { steps, isOfNames }] of patterns.entries()) {
      set(this.#start, bit);
      if (isOfNames) set(this.#startOfSegment, bit);
      for (const step of [...steps, null]) {
        this.#patternOfBit[bit] = index;
        if (!isOfNames) set(this.#ofPaths, bit);
        if (step === null) set(this.#ends, bit);
        else this.#take(step, bit, bitsOfSymbols);
        bit += 1;
      }
    }
    for (const [symbol, those] of bitsOfSymbols) {
      const named = this.#unnamed(symbol);
      for (const each of those) set(named, each);
      this.#named.set(symbol, named);
    }
    this.#passOptional(this.#start);
    this.#passOptional(this.#startOfSegment);
  }

  /**
   * Calls `visit` after each folder of a path with the number of characters read so far, and finally after the path
   * itself. `visit` may call `lastMatched`, and stops by returning true.
   * @param behind starts after a folder of the path, with the state kept from `reached`.
   */
  read(path: string, visit: (end: number) => boolean, behind?: FolderReached): void {
    this.#reached.set(behind?.reached ?? this.#start);
    let at = 0;
    if (behind !== undefined) {
      this.#step(slash);
      at = behind.end + 1;
    }
    while (at < path.length) {
      const symbol = path.codePointAt(at) ?? 0;
      if (symbol === slash && visit(at)) return;
      this.#step(symbol);
      at += symbol > 0xffff ? 2 : 1;
    }
    visit(path.length);
  }

  /** Call it within `visit`. Returns the state for reading other paths of the same folder. */
  reached(end: number): FolderReached {
    return { end, reached: this.#reached.slice() };
  }

  /** Returns the index of the last wanted pattern that matches the text read so far, or -1. */
  lastMatched(isWanted: (index: number) => boolean): number {
    for (let word = this.words - 1; word >= 0; word -= 1) {
      let matched = wordAt(this.#reached, word) & wordAt(this.#ends, word);
      while (matched !== 0) {
        const bit = 31 - Math.clz32(matched);
        const index = wordAt(this.#patternOfBit, word * 32 + bit);
        if (isWanted(index)) return index;
        matched &= ~(1 << bit);
      }
    }
    return -1;
  }

  #take(step: PatternStep, bit: number, bitsOfSymbols: Map<number, number[]>): void {
    switch (step.kind) {
      case 'symbol': {
        const those = bitsOfSymbols.get(step.symbol) ?? [];
        those.push(bit);
        bitsOfSymbols.set(step.symbol, those);
        break;
      }
      case 'one':
        set(this.#ones, bit);
        break;
      case 'of':
        this.#classes.push({ bit, has: step.has });
        break;
      case 'many':
        set(this.#many, bit);
        if (step.crossesSlash) set(this.#manyAcrossSlash, bit);
        break;
      case 'folders':
        set(this.#folders, bit);
        break;
    }
  }

  /** Returns the steps that a symbol takes whether or not a pattern names it. */
  #unnamed(symbol: number): Int32Array {
    if (symbol === slash) return new Int32Array(this.words);
    const mask = this.#ones.slice();
    for (const { bit, has } of this.#classes) if (has(symbol)) set(mask, bit);
    return mask;
  }

  #stepsOver(symbol: number): Int32Array {
    const known = this.#named.get(symbol) ?? this.#met.get(symbol);
    if (known !== undefined) return known;
    if (this.#classes.length === 0) return this.#ones;
    if (this.#met.size >= metMax) this.#met.clear();
    const mask = this.#unnamed(symbol);
    this.#met.set(symbol, mask);
    return mask;
  }

  /** One loop without calls, because most time is spent here. */
  #step(symbol: number): void {
    const [reached, folders, many] = [this.#reached, this.#folders, this.#many];
    const over = this.#stepsOver(symbol);
    const isSlash = symbol === slash;
    const staying = isSlash ? this.#manyAcrossSlash : many;
    const [ofPaths, startOfSegment] = [this.#ofPaths, this.#startOfSegment];
    let transfer = 0;
    for (let word = 0; word < reached.length; word += 1) {
      const before = reached[word] as number;
      if (before === 0 && transfer === 0 && !isSlash) continue;
      const moved = before & (over[word] as number);
      let bits = (moved << 1) | transfer | (before & (staying[word] as number));
      if (isSlash) bits = (bits & (ofPaths[word] as number)) | (startOfSegment[word] as number);
      const skipped = bits & (folders[word] as number);
      bits |= (skipped << 1) | (skipped << 3);
      const passed = bits & (many[word] as number);
      reached[word] = bits | (passed << 1);
      transfer = (moved >>> 31) | (skipped >>> 31) | (skipped >>> 29) | (passed >>> 31);
    }
  }

  /** A position before optional steps is also a position after them. */
  #passOptional(mask: Int32Array): void {
    let transfer = 0;
    for (let word = 0; word < mask.length; word += 1) {
      let bits = wordAt(mask, word) | transfer;
      const skipped = bits & wordAt(this.#folders, word);
      bits |= (skipped << 1) | (skipped << 3);
      const passed = bits & wordAt(this.#many, word);
      mask[word] = bits | (passed << 1);
      transfer = (skipped >>> 31) | (skipped >>> 29) | (passed >>> 31);
    }
  }
}

function set(mask: Int32Array, bit: number): void {
  mask[bit >>> 5] = wordAt(mask, bit >>> 5) | (1 << (bit & 31));
}

function wordAt(mask: Int32Array, word: number): number {
  return mask[word] ?? 0;
}
