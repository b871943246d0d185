import { similarity } from '../anchoring/text/similarity.ts';
import { encodeText } from '../anchoring/text/utf8.ts';
import { lineTextAt } from './line-ranges.ts';

/** A line that somebody may have meant. */
export interface ListedLine {
  readonly line: number;
  readonly text: string;
}

const similarityMin = 0.75;
/** Longer lines are not compared: nobody copies those by hand. */
const comparedMax = 1000;
/** Lines that are measured one by one; those that cannot be alike are told before. */
const measuredMax = 500;
const listedTextMax = 500;
const buckets = 64;

/** The line of `text` that is most like the first line of `wanted` with anything on it; null when none is. */
export function closestLine(text: string, wanted: string): ListedLine | null {
  const sought = wanted
    .split('\n')
    .find((each) => each.trim() !== '')
    ?.trim();
  if (sought === undefined || sought.length > comparedMax) return null;
  const soughtBytes = encodeText(sought);
  const counts = countCharacters(sought);
  let best: ListedLine | null = null;
  let least = similarityMin;
  let measured = 0;
  for (let at = 0, number = 1; at < text.length && measured < measuredMax; number += 1) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isComparable = end - at <= 4 * comparedMax;
    const line = isComparable ? text.slice(at, end).trim() : '';
    const start = at;
    at = end + 1;
    if (!mayBeAlike(line, sought.length, counts, least)) continue;
    measured += 1;
    const bytes = encodeText(line);
    const alike = similarity(
      bytes,
      { start: 0, end: bytes.length },
      soughtBytes,
      { start: 0, end: soughtBytes.length },
      least,
    );
    if (alike < least || (best !== null && alike === least)) continue;
    least = alike;
    best = { line: number, text: lineTextAt(text, start, listedTextMax) };
  }
  return best;
}

/** An upper bound of the similarity: as many characters as both have of each kind. */
function mayBeAlike(line: string, soughtLength: number, counts: Int32Array, least: number): boolean {
  const sum = line.length + soughtLength;
  if (line === '' || 2 * Math.min(line.length, soughtLength) < least * sum) return false;
  const own = countCharacters(line);
  let common = 0;
  for (let i = 0; i < buckets; i += 1) common += Math.min(own[i] ?? 0, counts[i] ?? 0);
  return 2 * common >= least * sum;
}

function countCharacters(text: string): Int32Array {
  const counts = new Int32Array(buckets);
  for (let i = 0; i < text.length; i += 1) {
    const bucket = text.charCodeAt(i) % buckets;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
