import { matchEnd, type SearchQuery, type SearchTerm } from './search-query.ts';
import type { SearchedPath } from './searched-path.ts';
import { startWorth, startWorthAt } from './word-starts.ts';

/**
 * Weights of the quality of a match, in addition to `startWorth`. Only the proportions count: a run of adjacent characters at the
 * start of a word beats the first letters of several words, and those beat a run inside a word. A match within the name
 * beats one that needs the folders, unless it is scattered and the other is not.
 */
export const worth = {
  /** Each character of the query. */
  character: 16,
  /** Directly after the previous character. */
  adjacent: 6,
  /** A gap before a character, and each character in the gap. Free between terms. */
  gap: 3,
  gapCharacter: 1,
  /** `startWorth` of the first character of a term counts so often, because users usually type the start of a word. */
  termStart: 2,
  /** The whole match is within the last segment. */
  withinName: 48,
  /** The match begins at the start of the name. */
  nameStart: 12,
  /** The match ends, with a run or a whole term, at the end of the name or of its stem. */
  nameEnd: 12,
  stemEnd: 10,
} as const;

/** Occurrences of a term that are compared. */
const occurrencesMax = 16;
/** The start of a word is preferred to the next occurrence of a character, if it is at most so far behind it. */
const lookAhead = 32;
/** Work for each position of a path that is scored, in positions of one that is only compared. */
const workOfScore = 8;

/** Scores the paths that match a query: the best of a few ways to match it, each in linear time. */
export class MatchScorer {
  /** Positions looked at so far: a measure of time without a clock. */
  work = 0;
  readonly #query: SearchQuery;
  readonly #positions: number[];
  /** The last position of each character with which the rest still fits behind it. */
  readonly #latest: number[];
  #hasWholeTerms = false;

  constructor(query: SearchQuery) {
    this.#query = query;
    this.#positions = query.characters.map(() => 0);
    this.#latest = query.characters.map(() => 0);
  }

  /** Returns the score of a matching path, at least 1; or 0 if it is surely less than `scoreMin`. */
  score(path: SearchedPath, scoreMin: number): number {
    const { folded, nameStart } = path;
    this.work += folded.length + this.#query.characters.length;
    const isInName = matchEnd(this.#query, folded, nameStart) !== -1;
    if (!this.#mayScore(path, isInName, scoreMin)) return 0;
    this.work += workOfScore * folded.length;
    this.#findLatest(folded);
    let best = Math.max(1, this.#worthOf(path, this.#latest));
    if (isInName) {
      best = Math.max(best, this.#align(path, nameStart));
      if (nameStart === 0 || this.#hasWholeTerms) return best;
    }
    return Math.max(best, this.#align(path, 0));
  }

  /** Compares an upper bound. */
  #mayScore({ folded, nameStart, startMask }: SearchedPath, isInName: boolean, scoreMin: number): boolean {
    const { characters, terms } = this.#query;
    let score = characters.length * (worth.character + worth.adjacent) - worth.adjacent;
    for (const { mask, startsTerm } of characters) {
      if ((mask & startMask) !== 0) score += startWorth.segment * (startsTerm ? worth.termStart : 1);
    }
    const first = characters[0]?.text ?? '';
    const isAtStart = isInName && folded.startsWith(first, nameStart);
    const inName = (isInName ? worth.withinName : 0) + (isAtStart ? worth.nameStart : 0);
    if (score + inName + worth.nameEnd < scoreMin) return false;
    const last = characters.at(-1)?.text ?? '';
    if (folded.endsWith(last) || folded.includes(`${last}.`, nameStart)) score += worth.nameEnd;
    const lossFrom = (from: number) => {
      const apart = terms.reduce((count, { text }) => (folded.includes(text, from) ? count : count + 1), 0);
      return apart * (worth.adjacent + worth.gap + worth.gapCharacter);
    };
    return score - lossFrom(0) >= scoreMin || (isInName && score + inName - lossFrom(nameStart) >= scoreMin);
  }

  #findLatest(folded: string): void {
    const { characters } = this.#query;
    let at = folded.length;
    for (let next = characters.length - 1; next >= 0; next -= 1) {
      const code = characters[next]?.code;
      do at -= 1;
      while (at > 0 && folded.codePointAt(at) !== code);
      this.#latest[next] = at;
    }
  }

  /** Matches each term as a whole where possible, else by runs and starts of words, and returns the score. */
  #align(path: SearchedPath, from: number): number {
    const { characters, terms } = this.#query;
    this.#hasWholeTerms = true;
    let at = from;
    for (const term of terms) {
      const whole = this.#findTerm(path, term, at);
      if (whole === -1) this.#hasWholeTerms = false;
      else at = whole;
      for (let next = term.start; next < term.end; next += 1) {
        if (whole === -1) at = this.#findNext(path, next, at);
        this.#positions[next] = at;
        at += characters[next]?.text.length ?? 1;
      }
    }
    return this.#worthOf(path, this.#positions);
  }

  /** Returns the position of the term's best whole occurrence with which the rest still fits, or -1. */
  #findTerm({ folded, shown }: SearchedPath, { text, end }: SearchTerm, from: number): number {
    const endMax = (this.#latest[end - 1] ?? 0) + (this.#query.characters[end - 1]?.text.length ?? 1);
    let best = -1;
    let bestStart = 0;
    let at = folded.indexOf(text, from);
    for (let left = occurrencesMax; left > 0 && at !== -1 && at + text.length <= endMax; left -= 1) {
      const start = startWorthAt(shown, at);
      if (start >= bestStart) [best, bestStart] = [at, start];
      at = folded.indexOf(text, at + 1);
      this.work += text.length;
    }
    return best;
  }

  #findNext({ folded, shown }: SearchedPath, next: number, from: number): number {
    const { text = '', startsTerm = false } = this.#query.characters[next] ?? {};
    const first = folded.indexOf(text, from);
    this.work += first - from;
    if (first === from && !startsTerm) return first;
    const last = Math.min(first + lookAhead, this.#latest[next] ?? 0);
    for (let at = first; at !== -1 && at <= last; at = folded.indexOf(text, at + 1)) {
      this.work += 1;
      if (startWorthAt(shown, at) > 0) return at;
    }
    return first;
  }

  #worthOf({ folded, shown, nameStart }: SearchedPath, positions: readonly number[]): number {
    const { characters } = this.#query;
    const first = positions[0] ?? 0;
    let score = characters.length * worth.character;
    let isWhole = true;
    let end = first;
    for (const [next, { text, startsTerm }] of characters.entries()) {
      const at = positions[next] ?? 0;
      score += startWorthAt(shown, at) * (startsTerm ? worth.termStart : 1);
      const isAdjacent = next > 0 && at === end;
      if (isAdjacent) score += worth.adjacent;
      else if (!startsTerm) score -= worth.gap + (at - end) * worth.gapCharacter;
      isWhole = isAdjacent || startsTerm;
      end = at + text.length;
    }
    if (first >= nameStart) score += worth.withinName;
    if (first === nameStart) score += worth.nameStart;
    if (isWhole && end > nameStart) {
      if (end === folded.length) score += worth.nameEnd;
      // A leading dot belongs to the name.
      else if (folded[end] === '.' && folded.lastIndexOf('.') === end) score += worth.stemEnd;
    }
    return score;
  }
}
