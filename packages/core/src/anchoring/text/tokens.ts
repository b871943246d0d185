import { type CharacterKind, characterKind } from '../../text/character-kind.ts';
import { characterLength, codePointAt } from './utf8.ts';
import { spaceLengthAt } from './white-space.ts';

/**
 * The words and single marks of a part of a file, without the white space between them. Tokens with equal ids have
 * equal bytes, also across the two sides of one alignment.
 */
export interface Tokens {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Byte offsets in `bytes`. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly ids: Int32Array;
  /** Bytes of a word; 0 for a mark, which does not show where it came from. */
  readonly wordBytes: Int32Array;
  /** By line that is not blank: its first token. The last entry is the end of the last line. */
  readonly lineFirst: Int32Array;
  /** By token: the index of its line among those that are not blank. */
  readonly lineOf: Int32Array;
}

/** A growing list of numbers without boxing. */
class Numbers {
  #values = new Int32Array(256);
  size = 0;
  push(value: number): void {
    if (this.size === this.#values.length) {
      const grown = new Int32Array(this.size * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.size] = value;
    this.size += 1;
  }
  taken(): Int32Array {
    return this.#values.subarray(0, this.size);
  }
}

/** Gives equal byte strings the same number. */
export type Intern = (bytes: Uint8Array, start: number, end: number) => number;

export function readTokens(bytes: Uint8Array, from: number, to: number, intern: Intern): Tokens {
  const starts = new Numbers();
  const ends = new Numbers();
  const ids = new Numbers();
  const wordBytes = new Numbers();
  const lineOf = new Numbers();
  const lineFirst = new Numbers();
  let lineBegun = false;
  for (let at = from; at < to; ) {
    const space = spaceLengthAt(bytes, at);
    if (space > 0) {
      if (bytes[at] === 0x0a) lineBegun = false;
      at += space;
      continue;
    }
    const start = at;
    const kind = kindAt(bytes, at);
    at = Math.min(to, at + characterLength(bytes, at));
    if (kind === 'letter') {
      while (at < to && kindAt(bytes, at) === 'letter') at = Math.min(to, at + characterLength(bytes, at));
    }
    if (!lineBegun) {
      lineFirst.push(starts.size);
      lineBegun = true;
    }
    starts.push(start);
    ends.push(at);
    ids.push(intern(bytes, start, at));
    wordBytes.push(kind === 'mark' ? 0 : at - start);
    lineOf.push(lineFirst.size - 1);
  }
  lineFirst.push(starts.size);
  return {
    bytes,
    count: starts.size,
    starts: starts.taken(),
    ends: ends.taken(),
    ids: ids.taken(),
    wordBytes: wordBytes.taken(),
    lineFirst: lineFirst.taken(),
    lineOf: lineOf.taken(),
  };
}

/** Returns the kind of the character at `at`; white space is a mark. */
export function kindAt(bytes: Uint8Array, at: number): CharacterKind {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return characterKind(first);
  if (spaceLengthAt(bytes, at) > 0) return 'mark';
  return characterKind(codePointAt(bytes, at, characterLength(bytes, at)));
}

/** Returns the first token that ends after `at`: the one that contains it, or the next one. */
export function tokenAfter(tokens: Tokens, at: number): number {
  let low = 0;
  let high = tokens.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens.ends[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the first token that begins at `at` or after it. */
export function tokenFrom(tokens: Tokens, at: number): number {
  const token = tokenAfter(tokens, at);
  return token < tokens.count && (tokens.starts[token] ?? 0) < at ? token + 1 : token;
}
