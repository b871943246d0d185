import type { ChangeRecord } from '@stoa/contract';
import { placeholderName } from '@stoa/core';
import { type Author, foldsInto } from '../api/credential.ts';
import { folderOf, nameOf } from '../api/listing-index.ts';

/** What one sentence of the activity tells. */
export interface ActivityEntry {
  /** Of the newest change in it: unique, and newest first is by falling `seq`. */
  readonly seq: number;
  readonly path: string;
  /** The same, but for a folder that stands empty: what keeps it in place, which is never shown. */
  readonly file: string;
  readonly author: Author;
  /** When the oldest change in it was made. */
  readonly since: string;
  readonly what: Happening;
}

export type Happening =
  | { readonly kind: 'created' | 'deleted' | 'made_private' | 'made_visible' }
  | { readonly kind: 'saved'; readonly firstVersion: number; readonly lastVersion: number }
  | { readonly kind: 'restored'; readonly version: number }
  | { readonly kind: 'moved'; readonly from: string }
  | { readonly kind: 'conflict'; readonly original: string }
  | { readonly kind: 'commented' | 'replied' | 'resolved' | 'reopened' };

export type ActivityFilter = 'all' | 'people' | 'agents';

/**
 * Changes as sentences, newest first: the delete that belongs to a move is not told, and the saves of one file by one
 * credential within ten minutes are one, unless something else happened to the file in between.
 * `changes` may come in any order, and twice.
 */
export function activityEntries(
  changes: readonly ChangeRecord[],
  { who = 'all', comments = true }: { readonly who?: ActivityFilter; readonly comments?: boolean } = {},
): ActivityEntry[] {
  const bySeq = new Map(changes.map((change) => [change.seq, change]));
  const newestFirst = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  const entries: ActivityEntry[] = [];
  /** The place in `entries` of the newest entry about a path: where an earlier save of it may be folded in. */
  const latestAt = new Map<string, number>();
  for (const change of newestFirst) {
    const isComment = change.op.startsWith('comment_');
    if (isComment && !comments) continue;
    if (who !== 'all' && (change.principal === 'agent') !== (who === 'agents')) continue;
    if (change.op === 'delete' && bySeq.get(change.seq + 1)?.movedFrom === change.path) continue;
    const isFolder = nameOf(change.path) === placeholderName;
    if (isFolder && !tellsOfFolder(change, bySeq)) continue;
    const entry = {
      seq: change.seq,
      path: isFolder ? folderOf(change.path) : change.path,
      file: change.path,
      author: change,
      since: change.createdAt,
      what: happening(change),
    };
    const at = latestAt.get(change.path);
    const newer = at === undefined ? undefined : entries[at];
    const folded = newer === undefined ? null : foldSaves(newer, entry);
    if (at !== undefined && folded !== null) {
      entries[at] = folded;
      continue;
    }
    // Comments do not touch the text: saves on either side of one are still one.
    if (!isComment) latestAt.set(change.path, entries.length);
    entries.push(entry);
  }
  return entries;
}

/** Changes so near to each other in the feed belong to one act of one person. */
const nearSeqs = 4;

/**
 * Whether a change of what keeps a folder in place says something of the folder. It is also written so that a folder
 * outlives its last file, and goes with the files beside it: those tell it.
 */
function tellsOfFolder(change: ChangeRecord, bySeq: ReadonlyMap<number, ChangeRecord>): boolean {
  const folder = folderOf(change.path);
  if (folder === '') return false;
  const isFirst = change.op === 'write' && change.version === 1;
  if (!isFirst && !['move', 'delete', 'restore'].includes(change.op)) return false;
  for (let seq = change.seq - nearSeqs; seq <= change.seq + nearSeqs; seq += 1) {
    const near = bySeq.get(seq);
    if (near === undefined || near === change || near.op !== 'delete') continue;
    if (change.op !== 'move' && folderOf(near.path) === folder) return false;
  }
  return true;
}

function shownPath(path: string): string {
  return nameOf(path) === placeholderName ? folderOf(path) : path;
}

function foldSaves(newer: ActivityEntry, older: ActivityEntry): ActivityEntry | null {
  if (newer.what.kind !== 'saved' || older.what.kind !== 'saved') return null;
  if (!foldsInto(newer.author, older.author)) return null;
  return { ...newer, since: older.since, what: { ...newer.what, firstVersion: older.what.firstVersion } };
}

function happening({ op, version, movedFrom, conflictOf }: ChangeRecord): Happening {
  switch (op) {
    case 'write':
      if (version === 1) return { kind: 'created' };
      return { kind: 'saved', firstVersion: version ?? 0, lastVersion: version ?? 0 };
    case 'move':
      return { kind: 'moved', from: movedFrom === undefined ? '' : shownPath(movedFrom) };
    case 'delete':
      return { kind: 'deleted' };
    case 'restore':
      return { kind: 'restored', version: version ?? 0 };
    case 'conflict':
      return { kind: 'conflict', original: conflictOf ?? '' };
    case 'access_revoked':
      return { kind: 'made_private' };
    case 'access_granted':
      return { kind: 'made_visible' };
    case 'comment_created':
      return { kind: 'commented' };
    case 'comment_replied':
      return { kind: 'replied' };
    case 'comment_resolved':
      return { kind: 'resolved' };
    case 'comment_reopened':
      return { kind: 'reopened' };
  }
}

/** Entries under the day on which they happened, in the time zone of who looks. */
export function byDay(
  entries: readonly ActivityEntry[],
  dayOf: (time: Date) => string,
): { readonly day: string; readonly entries: readonly ActivityEntry[] }[] {
  const days: { day: string; entries: ActivityEntry[] }[] = [];
  for (const entry of entries) {
    const day = dayOf(new Date(entry.author.createdAt));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
