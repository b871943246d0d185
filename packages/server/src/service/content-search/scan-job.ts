import { type FoundLine, findLines, type LineQuestion, type LineWindow } from '@stoa/core';
import { textOf } from '../ports/word-index.ts';

/** Contents to scan, in the order of their files. */
export interface ScanJob {
  readonly contents: readonly Uint8Array[];
  readonly question: LineQuestion;
  readonly window: LineWindow;
}

export type Scanned =
  | { readonly kind: 'not_text' }
  | { readonly kind: 'text'; readonly total: number; readonly lines: readonly FoundLine[] };

/** Runs one job, in a worker. */
export function runScan({ contents, question, window }: ScanJob): readonly Scanned[] {
  let { skip, take } = window;
  return contents.map((bytes): Scanned => {
    const text = textOf(bytes);
    if (text === null) return { kind: 'not_text' };
    const { total, lines } = findLines(text, question, { skip, take });
    skip = Math.max(0, skip - total);
    take -= lines.length;
    return { kind: 'text', total, lines };
  });
}
