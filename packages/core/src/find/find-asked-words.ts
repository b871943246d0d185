import type { AskedWord } from './find-query.ts';
import { visitWords } from './words.ts';

/** Receives the index of an asked word, and the range of a match in UTF-16 units of the line. */
export type VisitMatch = (asked: number, start: number, end: number) => void;

const ascii = /^[\0-\x7f]*$/;

/** Visits the words of a line that were asked for. Most lines have none, which a plain comparison shows much faster. */
export function visitAskedWords(line: string, asked: readonly AskedWord[], visit: VisitMatch): void {
  if (ascii.test(line)) {
    const plain = line.toLowerCase();
    const joined = plain.includes('_') ? plain.replaceAll('_', '') : plain;
    if (!asked.some(({ word }) => joined.includes(word) || plain.includes(word))) return;
  }
  visitWords(line, (word, start, end) => {
    for (const [at, { word: wanted, isPrefix }] of asked.entries()) {
      if (isPrefix ? word.startsWith(wanted) : word === wanted) visit(at, start, end);
    }
  });
}

/** Returns how often a text has each of the words. */
export function countAskedWords(text: string, asked: readonly AskedWord[]): readonly number[] {
  const counts = asked.map(() => 0);
  if (asked.length === 0) return counts;
  for (const line of linesOf(text)) {
    visitAskedWords(line, asked, (at) => {
      counts[at] = (counts[at] ?? 0) + 1;
    });
  }
  return counts;
}

/** Yields the lines of a text, without their line breaks. */
export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    yield text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    start = end + 1;
  }
}
