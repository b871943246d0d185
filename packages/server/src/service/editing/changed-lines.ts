import { changedRanges, cutText, type TextRange } from '@stoa/core';

export interface CompareJob {
  readonly before: Uint8Array;
  readonly now: Uint8Array;
  readonly most: { readonly lines: number; readonly lineCharacters: number };
}

/** Removed and added lines: `12- was`, `12+ is`, each with its number in the text that has it. */
export interface ChangedLines {
  readonly lines: readonly string[];
  /** Number of further lines. */
  readonly more: number;
  readonly added: number;
  readonly removed: number;
}

export function changedLines(before: string, now: string, most: CompareJob['most']): ChangedLines {
  const lines: string[] = [];
  let [added, removed] = [0, 0];
  const [older, newer] = [new NumberedLines(before, '-'), new NumberedLines(now, '+')];
  for (const range of changedRanges(before, now)) {
    const [gone, come] = [older.within(range.older), newer.within(range.newer)];
    for (const line of [...gone, ...come]) {
      if (lines.length < most.lines) lines.push(cutLine(line, most.lineCharacters));
    }
    removed += gone.length;
    added += come.length;
  }
  return { lines, more: added + removed - lines.length, added, removed };
}

/** Counts lines up to positions that are requested in order. */
class NumberedLines {
  readonly #text: string;
  readonly #sign: string;
  #at = 0;
  #line = 1;

  constructor(text: string, sign: string) {
    this.#text = text;
    this.#sign = sign;
  }

  /** A range of whole lines. */
  within({ start, end }: TextRange): string[] {
    for (let next = this.#text.indexOf('\n', this.#at); next !== -1 && next < start; ) {
      this.#at = next + 1;
      this.#line += 1;
      next = this.#text.indexOf('\n', this.#at);
    }
    if (end === start) return [];
    const lines = this.#text.slice(start, end).replace(/\n$/, '').split('\n');
    return lines.map((line, index) => `${this.#line + index}${this.#sign} ${line.replace(/\r$/, '')}`);
  }
}

function cutLine(line: string, most: number): string {
  return line.length <= most ? line : `${cutText(line, most)}…`;
}
