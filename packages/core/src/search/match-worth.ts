import { mark, markBits, markShift, stemEndBit } from './search-symbols.ts';

/**
 * Weights of the quality of a match. Only the proportions count:
 * a run of adjacent characters at the start of a word beats the first letters of several words, and those beat a run
 * inside a word. A match within the name beats one that needs the folders, unless it is scattered and the other is not.
 */
export const worth = {
  /** Each character of the query. */
  character: 16,
  /** Directly after the previous character. */
  adjacent: 6,
  /** A gap before a character, and each character in the gap. Free between terms. */
  gap: 3,
  gapCharacter: 1,
  /** The whole match is within the last segment. */
  withinName: 48,
  /** The match begins at the start of the name. */
  nameStart: 12,
  /** The match ends, with a run or a whole term, at the end of the name or of its stem. */
  nameEnd: 12,
  stemEnd: 10,
} as const;

/** By `Mark`. Doubled for the first character of a term, because users usually type the start of a word. */
const markWorth = new Int32Array(4);
markWorth[mark.hump] = 7;
markWorth[mark.wordStart] = 8;
markWorth[mark.segmentStart] = 10;

export function startWorth(symbol: number, startsTerm: boolean): number {
  const value = markWorth[(symbol >>> markShift) & markBits] ?? 0;
  return startsTerm ? value * 2 : value;
}

/** Returns the bonus of a match's last character; `last` if the name ends with it. */
export function endWorth(symbol: number, last: boolean): number {
  if (last) return worth.nameEnd;
  return (symbol & stemEndBit) === 0 ? 0 : worth.stemEnd;
}

/** Upper bounds of the score for different matches. */
export interface ScoreMax {
  /** The match begins above the name. */
  readonly elsewhere: number;
  /** The match may be within the name; `fromNameStart`: the name also begins with the query's first character. */
  readonly withinName: number;
  readonly fromNameStart: number;
}

export function scoreMaxOf(characters: number, terms: number): ScoreMax {
  const best = markWorth[mark.segmentStart] ?? 0;
  const wordStart = markWorth[mark.wordStart] ?? 0;
  const plain = characters * worth.character + (characters - 1) * worth.adjacent + worth.nameEnd;
  const elsewhere = plain + (characters + terms) * best;
  // Within a name only the first character can be at the start of a segment.
  const withinName = plain + (characters + terms) * wordStart + worth.withinName;
  return {
    elsewhere,
    withinName: Math.max(elsewhere, withinName),
    fromNameStart: Math.max(elsewhere, withinName + 2 * (best - wordStart) + worth.nameStart),
  };
}
