import { spaceEnd } from './white-space.ts';

/**
 * `exact` compares bytes. `folded` treats every run of white space, including line ends and no-break spaces, as one
 * space; a match still has the offsets of the original bytes.
 */
export type MatchMode = 'exact' | 'folded';

/**
 * Calls `visit` for every match of `needle` in `content` between `from` and `to`, in order, including overlapping ones,
 * until it returns false. Time is linear in the content for any needle (Knuth, Morris, Pratt); memory is proportional
 * to the needle.
 */
export function visitMatches(
  content: Uint8Array,
  needle: Uint8Array,
  mode: MatchMode,
  visit: (start: number, end: number) => boolean,
  from = 0,
  to = content.length,
): void {
  if (needle.length === 0) return;
  if (mode === 'exact') visitExact(content, needle, visit, from, to);
  else visitFolded(content, foldedBytes(needle), visit, from, to);
}

function visitExact(
  content: Uint8Array,
  needle: Uint8Array,
  visit: (start: number, end: number) => boolean,
  from: number,
  to: number,
): void {
  const borders = bordersOf(needle);
  const first = needle[0];
  const size = needle.length;
  let matched = 0;
  for (let at = from; at < to; at += 1) {
    const byte = content[at];
    if (matched === 0) {
      if (byte !== first) continue;
    } else {
      while (matched > 0 && needle[matched] !== byte) matched = borders[matched - 1] ?? 0;
      if (needle[matched] !== byte) continue;
    }
    matched += 1;
    if (matched < size) continue;
    if (!visit(at + 1 - size, at + 1)) return;
    matched = borders[size - 1] ?? 0;
  }
}

function visitFolded(
  content: Uint8Array,
  needle: Uint8Array,
  visit: (start: number, end: number) => boolean,
  from: number,
  to: number,
): void {
  const borders = bordersOf(needle);
  const size = needle.length;
  // Start of each of the last symbols: only the end of a match is known, and its symbols vary in length.
  const starts = new Int32Array(size);
  let oldest = 0;
  let matched = 0;
  for (let at = from; at < to; ) {
    let byte = content[at] ?? 0;
    let next = at + 1;
    // Fast path: most bytes cannot begin white space.
    if (byte <= 0x20 || (byte >= 0xc2 && byte <= 0xe3)) {
      const spaces = spaceEnd(content, at, to);
      if (spaces > at) {
        byte = 0x20;
        next = spaces;
      }
    }
    starts[oldest] = at;
    oldest = oldest + 1 === size ? 0 : oldest + 1;
    while (matched > 0 && needle[matched] !== byte) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === byte) matched += 1;
    if (matched === size) {
      if (!visit(starts[oldest] ?? 0, next)) return;
      matched = borders[size - 1] ?? 0;
    }
    at = next;
  }
}

/** For each prefix of `needle`: the length of its longest proper prefix that is also its suffix. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length);
  let border = 0;
  for (let i = 1; i < needle.length; i += 1) {
    while (border > 0 && needle[border] !== needle[i]) border = borders[border - 1] ?? 0;
    if (needle[border] === needle[i]) border += 1;
    borders[i] = border;
  }
  return borders;
}

function foldedBytes(bytes: Uint8Array): Uint8Array {
  const folded = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const spaces = spaceEnd(bytes, at, bytes.length);
    folded[size] = spaces > at ? 0x20 : (bytes[at] ?? 0);
    size += 1;
    at = spaces > at ? spaces : at + 1;
  }
  return folded.subarray(0, size);
}
