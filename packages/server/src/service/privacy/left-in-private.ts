// docs/decisions/0099-what-private-files-leave-behind.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Viewer, WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import { isHidden } from './find-owner.ts';

/** A file, for as long as it stood at a path. */
export interface Stay {
  readonly path: WorkspacePath;
  readonly incarnation: number;
}

type HistoryReader = Pick<Reader, 'changes' | 'files' | 'members' | 'nodes' | 'users' | 'workspaces'>;

/** Changes that are looked through at once: a few milliseconds, after which others are served. */
const changesAtOnce = 20_000;
/** A file that moved more often than this has a history that nobody waits for. */
const movesMax = 100;

/**
 * Whether the versions of a file that stood at a path are not the viewer's to see, whoever sees the path now: it was private to
 * another member when it left, and was deleted by that, or is not to be seen where it is now (interface: privacy, Moving). `reader` holds
 * one snapshot. It looks through the changes since, so it has no place in a transaction.
 */
export async function hasLeftInPrivate(
  reader: HistoryReader,
  workspaceId: string,
  stay: Stay,
  viewer: Viewer,
): Promise<boolean> {
  if ((await reader.workspaces.find(workspaceId))?.privacyRecords === 0) return false;
  let at = stay;
  for (let moves = 0; moves < movesMax; moves += 1) {
    const current = await reader.files.find(workspaceId, at.path);
    if (current?.incarnation === at.incarnation) return isHidden(reader, workspaceId, at.path, viewer);
    const departure = await findDeparture(reader, workspaceId, at);
    const onlyUserId = departure?.onlyUserId ?? null;
    if (departure === null || onlyUserId === null || onlyUserId === viewer.userId) return false;
    // A move is two records, one right behind the other.
    const incarnation = departure.seq + 1;
    const arrival = await reader.files.beginningOf(workspaceId, incarnation);
    if (arrival?.movedFrom?.incarnation !== at.incarnation) return isHere(reader, workspaceId, onlyUserId);
    at = { path: arrival.path, incarnation };
  }
  return true;
}

/** Of somebody who left, or whose things are handed over, whoever has taken the path back sees what was deleted there. */
async function isHere(
  { members, users }: HistoryReader,
  workspaceId: string,
  userId: string,
): Promise<boolean> {
  if ((await members.find(workspaceId, userId)) === null) return false;
  return (await users.find(userId))?.disabledAt === null;
}

async function findDeparture(
  { changes }: Pick<Reader, 'changes'>,
  workspaceId: string,
  { path, incarnation }: Stay,
): ReturnType<Reader['changes']['findDeparture']> {
  const head = await changes.head(workspaceId);
  let afterSeq = incarnation;
  while (afterSeq < head) {
    // Seqs jump where a backup was put back: only where they are few they tell how many changes there are.
    const isRest = head - afterSeq <= changesAtOnce;
    const next = isRest ? null : await changes.seqOfNext({ workspaceId, afterSeq, count: changesAtOnce });
    const upToSeq = next ?? head;
    const departure = await changes.findDeparture({ workspaceId, path, afterSeq, upToSeq });
    if (departure !== null) return departure;
    afterSeq = upToSeq;
    await nextTurn();
  }
  return null;
}
