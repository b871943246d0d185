// An agent stores no cursor between sessions, and a response may be lost. So news is returned until its cursor comes
// back, or twice.
import { isWithin, type PathPrefix } from '@stoa/core';
import type { Cursor, Cursors } from '../ports/cursors.ts';

/** Maximum number of paths with their own cursor for one key; the least recently used is removed first. */
export const pathCursorsMax = 20;

/** The range of the feed that a response covered. */
export interface Shown {
  readonly path: PathPrefix;
  readonly fromSeq: number;
  readonly fromAt: number;
  /** Everything up to here is in it. */
  readonly toSeq: number;
  /** Whether the caller sent `fromSeq` as the cursor up to which it has everything. */
  readonly isConfirming: boolean;
  readonly at: number;
}

/** The most advanced cursor among those that cover a path; null without one. */
export function cursorFor(cursors: Cursors, path: PathPrefix): Cursor | null {
  let found: Cursor | null = null;
  for (const [covered, cursor] of cursors) {
    if (isWithin(path, covered) && (found === null || cursor.startSeq > found.startSeq)) found = cursor;
  }
  return found;
}

/**
 * Computes the cursor of a path after a response was sent. A cursor that comes back proves that a response arrived.
 * Without one, each range of the feed is in two responses, and `confirmedSeq` still records the start of the
 * unconfirmed range.
 * @param before the current result of `cursorFor`.
 * @returns null when the response does not change the cursor.
 */
export function cursorAfter(before: Cursor | null, shown: Shown): Cursor | null {
  const { fromSeq, fromAt, toSeq, at } = shown;
  if (shown.isConfirming) {
    // A cursor beyond everything that was returned did not come from us.
    if (before === null || fromSeq > before.headSeq) return null;
    return {
      confirmedSeq: Math.max(before.confirmedSeq, fromSeq),
      startSeq: Math.max(before.startSeq, fromSeq),
      startAt: fromSeq > before.startSeq ? before.answeredAt : before.startAt,
      headSeq: Math.max(before.headSeq, toSeq),
      answeredAt: at,
    };
  }
  if (before === null)
    return { confirmedSeq: fromSeq, startSeq: fromSeq, startAt: fromAt, headSeq: toSeq, answeredAt: at };
  // The cursor at which the response began was removed: nothing is known about the range in between.
  if (fromSeq > before.startSeq) return null;
  const shownTwice = Math.min(before.headSeq, toSeq);
  return {
    confirmedSeq: before.confirmedSeq,
    startSeq: Math.max(before.startSeq, shownTwice),
    startAt: shownTwice > before.startSeq ? before.answeredAt : before.startAt,
    headSeq: Math.max(before.headSeq, toSeq),
    answeredAt: at,
  };
}

/** @returns the cursors with that of the path replaced or added. */
export function withCursor(cursors: Cursors, path: PathPrefix, after: Cursor): Cursors {
  const kept = cursors.filter(([other]) => other !== path);
  const ofPaths = kept.filter(([other]) => other !== '');
  const [oldest] = ofPaths.toSorted(([, a], [, b]) => a.answeredAt - b.answeredAt);
  const isFull = path !== '' && ofPaths.length >= pathCursorsMax;
  return [...kept.filter((each) => !isFull || each !== oldest), [path, after]];
}
