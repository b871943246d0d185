import type { CommentThread } from '@stoa/contract';

export type ThreadOrder = 'text' | 'newest';
export type ThreadFilter = 'all' | 'people' | 'agents' | 'outdated';

/** The visible threads of one state, sorted. */
export function shownThreads(
  threads: readonly CommentThread[],
  options: {
    readonly status: CommentThread['status'];
    readonly order: ThreadOrder;
    readonly show: ThreadFilter;
  },
): readonly CommentThread[] {
  const shown = threads.filter((thread) => thread.status === options.status && isShown(thread, options.show));
  return shown.toSorted(options.order === 'text' ? inTheText : newestFirst);
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

/** By position in the text; threads without one come last, oldest first. */
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

/** A passage with open threads, those of one range together. UTF-16 units. */
export interface ThreadPassage {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** Number of comments, replies included. */
  readonly comments: number;
  readonly threads: readonly string[];
}

/**
 * The passages of a text. A range counts only if its text matches the server's: otherwise it belongs to another
 * version, and is shown once the threads are reloaded.
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
    const match = `${start}-${end}`;
    const known = passages.get(match);
    passages.set(match, {
      // Identified by its first thread, since ranges move with edits.
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

/** Whether some ranges of these threads belong to another version of the text. */
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

/** The start of a thread's quote, for its name. */
export function quoteStart(quote: string): string {
  return [...quote].slice(0, 60).join('');
}

/** Which occurrence of a quote, counted from 1, is the server's `index`th match. */
export function occurrenceOfMatch(
  source: string,
  quote: string,
  matches: readonly { readonly line: number }[],
  index: number,
): number | null {
  const line = matches[index]?.line;
  if (line === undefined) return null;
  // Of several on one line, skip those listed before this one.
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
