import type { TextRange } from '../merge/text-edit.ts';

/** Lines from 1, both ends inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Maps positions to line numbers. Fast for increasing positions. */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the line, from 1, of the character at `place`. */
  lineAt(match: number): number {
    if (match < this.#at) {
      this.#at = 0;
      this.#line = 1;
    }
    for (;;) {
      const next = this.#text.indexOf('\n', this.#at);
      if (next === -1 || next >= match) return this.#line;
      this.#at = next + 1;
      this.#line += 1;
    }
  }

  /**
   * Returns the lines of a range; for an empty range, its line. The line end of the last line does not add the next
   * line.
   */
  linesOf({ start, end }: TextRange): LineRange {
    const from = this.lineAt(start);
    return { from, to: end > start ? this.lineAt(end - 1) : from };
  }
}

/** Returns the text of the line at `place`, without its line end, at most `most` characters. */
export function lineTextAt(text: string, match: number, most: number): string {
  const start = match === 0 ? 0 : text.lastIndexOf('\n', match - 1) + 1;
  const end = text.indexOf('\n', start);
  return cutText(text.slice(start, end === -1 ? text.length : end).replace(/\r$/, ''), most);
}

/** Cuts a text to at most `most` UTF-16 units, at a whole character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most);
}
