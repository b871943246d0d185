import assert from 'node:assert/strict';

/**
 * One edit of a markdown file, with the expectation of a careful reader for a comment on it. In `before`, `⟦…⟧` is the
 * quote of the comment (`⟦⟧`: a point). In `after`, `⟦…⟧` is the match that the reader expects; without marks `expected`
 * gives the reason for no match. The expectations were written before the code ran on any of them. To change one, say
 * in `why` what the reader sees.
 */
export interface CorpusCase {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly expected: 'anchored' | 'ambiguous' | 'outdated';
  readonly why?: string;
}

/** `text` with its `nth` (from 1) `part` in marks. */
export function mark(text: string, part: string, nth = 1): string {
  let at = -1;
  for (let i = 0; i < nth; i += 1) at = text.indexOf(part, at + 1);
  assert.ok(at !== -1, `the corpus names text that is not there: ${part}`);
  return `${text.slice(0, at)}⟦${part}⟧${text.slice(at + part.length)}`;
}

/** `text` with a point marked directly before the first `part`. */
export function markPointBefore(text: string, part: string): string {
  const at = text.indexOf(part);
  assert.ok(at !== -1, `the corpus names text that is not there: ${part}`);
  return `${text.slice(0, at)}⟦⟧${text.slice(at)}`;
}

/** `text` with the first of each `from` replaced, in order. */
export function change(text: string, ...edits: readonly (readonly [from: string, to: string])[]): string {
  let changed = text;
  for (const [from, to] of edits) {
    assert.ok(changed.includes(from), `the corpus edits text that is not there: ${from}`);
    changed = changed.replace(from, () => to);
  }
  return changed;
}

export interface Unmarked {
  readonly text: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export function unmark(marked: string): Unmarked | null {
  const start = marked.indexOf('⟦');
  if (start === -1) return null;
  const end = marked.indexOf('⟧') - 1;
  return { text: marked.replace('⟦', '').replace('⟧', ''), start, end };
}
