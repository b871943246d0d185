// docs/decisions/0008-privacy-nearest-record.md
import type { Viewer, WorkspacePath } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import { isHidden } from './find-owner.ts';

/** A file id and the path that it belongs to. */
export interface Stay {
  readonly path: WorkspacePath;
  readonly incarnation: number;
}

type HistoryReader = Pick<Reader, 'changes' | 'files' | 'members' | 'nodes' | 'users' | 'workspaces'>;

/** A limit for the lookup: a file with more moves counts as hidden. */
const movesMax = 100;

/**
 * Whether the versions of a file that was at a path are hidden from the viewer, even if the viewer can see the path
 * now. They are when the file was private to another member when it left, and was deleted then or is hidden at its
 * current path (interface: privacy, Moving). `reader` must be one snapshot.
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
    const { path, incarnation: afterSeq } = at;
    const departure = await reader.changes.findDeparture({ workspaceId, path, afterSeq });
    const onlyUserId = departure?.onlyUserId ?? null;
    if (departure === null || onlyUserId === null || onlyUserId === viewer.userId) return false;
    // A move is two adjacent records.
    const incarnation = departure.seq + 1;
    const arrival = await reader.files.beginningOf(workspaceId, incarnation);
    if (arrival?.movedFrom?.incarnation !== at.incarnation) return isHere(reader, workspaceId, onlyUserId);
    at = { path: arrival.path, incarnation };
  }
  return true;
}

/**
 * False for a former member or a disabled user: the member who reclaimed the path may see the versions that were
 * deleted there.
 */
async function isHere(
  { members, users }: HistoryReader,
  workspaceId: string,
  userId: string,
): Promise<boolean> {
  if ((await members.find(workspaceId, userId)) === null) return false;
  return (await users.find(userId))?.disabledAt === null;
}
