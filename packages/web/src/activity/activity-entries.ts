import type { ChangeRecord } from '@stoa/contract';
import { placeholderName } from '@stoa/core';
import { type Author, foldsInto } from '../api/credential.ts';
import { folderOf, nameOf } from '../api/listing-index.ts';

/** One entry of the activity. */
export interface ActivityEntry {
  /** `seq` of the newest change in the entry: unique, and falling from entry to entry. */
  readonly seq: number;
  readonly path: string;
  /** Equal to `path`, except for an empty folder: the path of its hidden placeholder file. */
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
 * Groups changes into entries, newest first. The delete of a move is dropped. Saves of one file by one credential
 * within ten minutes form one entry, unless something else happened to the file in between.
 * @param changes in any order, possibly with duplicates.
 */
export function activityEntries(
  changes: readonly ChangeRecord[],
  { who = 'all', comments = true }: { readonly who?: ActivityFilter; readonly comments?: boolean } = {},
): ActivityEntry[] {
  const bySeq = new Map(changes.map((change) => [change.seq, change]));
  const newestFirst = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  const entries: ActivityEntry[] = [];
  /** Index in `entries` of the newest entry of each path. Earlier saves are folded into it. */
  const latestAt = new Map<string, number>();
  for (const change of newestFirst) {
    const isComment = change.op.startsWith('comment_');
    if (isComment && !comments) continue;
    if (who !== 'all' && (change.principal === 'agent') !== (who === 'agents')) continue;
    if (change.op === 'delete' && bySeq.get(change.seq + 1)?.movedFrom === change.path) continue;
    const isFolder = nameOf(change.path) === placeholderName;
    if (isFolder && !reportsOfFolder(change, bySeq)) continue;
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

/** Changes within this distance in the feed belong to one action. */
const nearSeqs = 4;

/**
 * Whether a change of a placeholder file is about its folder. A placeholder is also written when the last file of a
 * folder goes, and deleted with the files next to it; the entries of those files already cover that.
 */
function reportsOfFolder(change: ChangeRecord, bySeq: ReadonlyMap<number, ChangeRecord>): boolean {
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

/** Groups entries by day, in the user's time zone. */
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
