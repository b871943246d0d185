import type { TextRange } from '../merge/text-edit.ts';

/** Lines from 1, both ends counted. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Answers on which line places stand. Fast for places that are asked in order. */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line, from 1, on which the character at `place` stands. */
  lineAt(place: number): number {
    if (place < this.#at) {
      this.#at = 0;
      this.#line = 1;
    }
    for (;;) {
      const next = this.#text.indexOf('\n', this.#at);
      if (next === -1 || next >= place) return this.#line;
      this.#at = next + 1;
      this.#line += 1;
    }
  }

  /** The lines that hold a range; of an empty one the line on which it stands. A line's own end does not reach into the next. */
  linesOf({ start, end }: TextRange): LineRange {
    const from = this.lineAt(start);
    return { from, to: end > start ? this.lineAt(end - 1) : from };
  }
}

/** The text of the line on which `place` stands, without its end, at most `most` characters of it. */
export function lineTextAt(text: string, place: number, most: number): string {
  const start = place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
  const end = text.indexOf('\n', start);
  return cutText(text.slice(start, end === -1 ? text.length : end).replace(/\r$/, ''), most);
}

/** A beginning of at most `most` UTF-16 units that ends with a whole character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most);
}
