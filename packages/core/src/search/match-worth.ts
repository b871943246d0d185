import { mark, markBits, markShift, stemEndBit } from './search-symbols.ts';

/**
 * What makes a match good. Only the proportions count:
 * a run of adjacent characters that begins a word beats the first letters of several words, and those beat a run inside
 * a word; a match within the name beats one that needs the folders, unless it is scattered and the other is not.
 */
export const worth = {
  /** Each character of the query. */
  character: 16,
  /** Directly after the character before it. */
  adjacent: 6,
  /** A gap before a character, and each character that the gap holds. Free between terms. */
  gap: 3,
  gapCharacter: 1,
  /** The whole match lies within the last segment. */
  withinName: 48,
  /** The match begins where the name begins. */
  nameStart: 12,
  /** The match ends, with a run or a whole term, where the name ends, or where its stem ends. */
  nameEnd: 12,
  stemEnd: 10,
} as const;

/** By `Mark`. Doubled for the first character of a term, which people choose with the word's start in mind. */
const markWorth = new Int32Array(4);
markWorth[mark.hump] = 7;
markWorth[mark.wordStart] = 8;
markWorth[mark.segmentStart] = 10;

export function startWorth(symbol: number, startsTerm: boolean): number {
  const value = markWorth[(symbol >>> markShift) & markBits] ?? 0;
  return startsTerm ? value * 2 : value;
}

/** What a match's last character adds by its place in the name; `last` when the name ends with it. */
export function endWorth(symbol: number, last: boolean): number {
  if (last) return worth.nameEnd;
  return (symbol & stemEndBit) === 0 ? 0 : worth.stemEnd;
}

/** Bounds that no score passes, by what is known of a match. */
export interface ScoreMax {
  /** It begins above the name. */
  readonly elsewhere: number;
  /** It may lie within the name; and the name begins with the query's first character. */
  readonly withinName: number;
  readonly fromNameStart: number;
}

export function scoreMaxOf(characters: number, terms: number): ScoreMax {
  const best = markWorth[mark.segmentStart] ?? 0;
  const wordStart = markWorth[mark.wordStart] ?? 0;
  const plain = characters * worth.character + (characters - 1) * worth.adjacent + worth.nameEnd;
  const elsewhere = plain + (characters + terms) * best;
  // Within a name only the first character can stand at the beginning of a segment.
  const withinName = plain + (characters + terms) * wordStart + worth.withinName;
  return {
    elsewhere,
    withinName: Math.max(elsewhere, withinName),
    fromNameStart: Math.max(elsewhere, withinName + 2 * (best - wordStart) + worth.nameStart),
  };
}
