import type { CommentThread } from '@stoa/contract';

export type ThreadOrder = 'text' | 'newest';
export type ThreadFilter = 'all' | 'people' | 'agents' | 'outdated';

/** The threads of one state that are shown, in their order. */
export function shownThreads(
  threads: readonly CommentThread[],
  wish: {
    readonly status: CommentThread['status'];
    readonly order: ThreadOrder;
    readonly show: ThreadFilter;
  },
): readonly CommentThread[] {
  const shown = threads.filter((thread) => thread.status === wish.status && isShown(thread, wish.show));
  return shown.toSorted(wish.order === 'text' ? inTheText : newestFirst);
}

function isShown(thread: CommentThread, show: ThreadFilter): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'people':
      return thread.principal !== 'agent';
    case 'agents':
      return thread.principal === 'agent';
    case 'outdated':
      return thread.anchorStatus === 'outdated';
  }
}

/** By the place in the text; what has none stands last, oldest first. */
function inTheText(a: CommentThread, b: CommentThread): number {
  const [startA, startB] = [startOf(a), startOf(b)];
  if (startA !== startB) return startA - startB;
  return -newestFirst(a, b);
}

function startOf({ currentRange }: CommentThread): number {
  return currentRange?.start ?? Number.MAX_SAFE_INTEGER;
}

function newestFirst(a: CommentThread, b: CommentThread): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1);
}

/** Where open threads are drawn in the text: those of one range together. UTF-16 units. */
export interface ThreadPassage {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** Those that opened a thread, and replies. */
  readonly comments: number;
  readonly threads: readonly string[];
}

/**
 * The passages of a text. A range counts only where the text says what the server found there: anything else is about
 * another version, and is drawn when the threads have been asked for again.
 */
export function threadPassages(
  threads: readonly CommentThread[],
  text: { readonly source: string; unitOf(byte: number): number },
): readonly ThreadPassage[] {
  const passages = new Map<string, ThreadPassage>();
  for (const thread of threads) {
    const { currentRange: range, currentText, status } = thread;
    if (status !== 'open' || range === null || range.start === range.end) continue;
    const start = text.unitOf(range.start);
    const end = text.unitOf(range.end);
    if (text.source.slice(start, end) !== currentText) continue;
    const place = `${start}-${end}`;
    const known = passages.get(place);
    passages.set(place, {
      // Its first thread names it: places change with the text around them.
      id: known?.id ?? thread.id,
      start,
      end,
      quote: known?.quote ?? thread.quote ?? currentText,
      comments: (known?.comments ?? 0) + 1 + thread.entryCount,
      threads: [...(known?.threads ?? []), thread.id],
    });
  }
  return [...passages.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether a range of these threads is about another text than the one that is shown. */
export function areStale(
  threads: readonly CommentThread[],
  text: { readonly source: string; unitOf(byte: number): number },
): boolean {
  return threads.some(
    ({ currentRange, currentText }) =>
      currentRange !== null &&
      text.source.slice(text.unitOf(currentRange.start), text.unitOf(currentRange.end)) !== currentText,
  );
}

/** How a thread's quote begins, for its name. */
export function quoteStart(quote: string): string {
  return [...quote].slice(0, 60).join('');
}

/** Which occurrence of a quote, from 1, is the one that the server listed as its `index`th match. */
export function occurrenceOfMatch(
  source: string,
  quote: string,
  matches: readonly { readonly line: number }[],
  index: number,
): number | null {
  const line = matches[index]?.line;
  if (line === undefined) return null;
  // Of several on one line, as many as were listed before it.
  let sameLineBefore = matches.slice(0, index).filter((match) => match.line === line).length;
  let occurrence = 0;
  let lineAt = 1;
  let counted = 0;
  for (let at = source.indexOf(quote); at !== -1; at = source.indexOf(quote, at + 1)) {
    occurrence += 1;
    lineAt += lineEndsIn(source.slice(counted, at));
    counted = at;
    if (lineAt === line) {
      if (sameLineBefore === 0) return occurrence;
      sameLineBefore -= 1;
    } else if (lineAt > line) return null;
  }
  return null;
}

function lineEndsIn(text: string): number {
  return text.match(/\n/g)?.length ?? 0;
}
