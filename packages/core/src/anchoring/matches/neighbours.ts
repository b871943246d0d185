import type { ByteRange } from '../anchor.ts';
import { neighbourLinesMax, neighbourTokensMax, neighbourWordsMax } from '../anchoring-limits.ts';
import type { TokenAlignment } from '../diff/alignment.ts';
import { unknownMatch } from '../diff/sequence-match.ts';
import type { TokenRange } from '../diff/token-range.ts';

/**
 * The nearest surviving text on both sides of some tokens. `area` is the text between them now, `pinnedArea` the text
 * between them then; bytes. `unknown` if the diff gave up there.
 */
export type Neighbours =
  | { readonly kind: 'both'; readonly area: ByteRange; readonly pinnedArea: ByteRange }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unknown' };

/**
 * A neighbour survives if the diff kept one of the nearest words on its side (`neighbourWordsMax`). It also survives if
 * one of the nearest lines that are not blank was kept whole (`neighbourLinesMax`), or if the file begins or ends
 * there.
 */
export function findNeighbours(tokens: TokenAlignment, touched: TokenRange): Neighbours {
  const { pinned, current, toCurrent } = tokens;
  for (let i = touched.first; i < touched.end; i += 1)
    if (toCurrent[i] === unknownMatch) return { kind: 'unknown' };
  const left = nearestKept(tokens, touched.first, -1);
  const right = nearestKept(tokens, touched.end - 1, 1);
  if (left === unknownMatch || right === unknownMatch) return { kind: 'unknown' };
  if (left === null || right === null) return { kind: 'lost' };
  const leftNow = left === -1 ? -1 : (toCurrent[left] ?? -1);
  const rightNow = right === pinned.count ? current.count : (toCurrent[right] ?? -1);
  return {
    kind: 'both',
    area: { start: current.ends[leftNow] ?? 0, end: current.starts[rightNow] ?? current.bytes.length },
    pinnedArea: { start: pinned.ends[left] ?? 0, end: pinned.starts[right] ?? pinned.bytes.length },
  };
}

/**
 * Returns the nearest kept word if it survives as a neighbour; -1 or the number of tokens for the file's edge. Null if
 * it does not, or `unknownMatch`. Beyond the nearest words a kept line decides, but the area ends at the word itself.
 */
function nearestKept(tokens: TokenAlignment, from: number, step: 1 | -1): number | null {
  const { pinned, toCurrent, inKeptLine } = tokens;
  const home = pinned.lineOf[Math.min(Math.max(from, 0), pinned.count - 1)] ?? 0;
  let words = 0;
  let nearest: number | null = null;
  let at = from + step;
  for (let tried = 0; tried < neighbourTokensMax; tried += 1, at += step) {
    if (at < 0) return tokens.fromFileStart ? (nearest ?? -1) : null;
    if (at >= pinned.count) return tokens.toFileEnd ? (nearest ?? pinned.count) : null;
    if (toCurrent[at] === unknownMatch) return unknownMatch;
    const isNear = words < neighbourWordsMax;
    if (!isNear && Math.abs((pinned.lineOf[at] ?? 0) - home) > neighbourLinesMax) return null;
    if (pinned.wordBytes[at] === 0) continue;
    words += 1;
    if ((toCurrent[at] ?? -1) < 0) continue;
    nearest ??= at;
    if (isNear || inKeptLine[at] === 1) return nearest;
  }
  return null;
}
