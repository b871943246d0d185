import type { Viewer, WorkspacePath } from '@stoa/core';
import type { ActorStamp, ChangeRow } from '../ports/changes.ts';
import type { Reader } from '../ports/reader.ts';

/** Fate of the last file that was at a path. */
export interface FormerPath {
  readonly kind: 'moved' | 'deleted';
  /** Its current path, or the path of its deletion. After moves it differs from the requested path. */
  readonly path: WorkspacePath;
  readonly by: ActorStamp;
  /** Time of its arrival at `path` or of its deletion there, in milliseconds since the epoch. */
  readonly at: number;
  /** Its version at that time: 1 after a move. */
  readonly version: number;
}

/** A file with more moves is reported at the last path of these. */
const movesMax = 20;

/**
 * Follows the file that last left a path, through the viewer's feed: a move to a path that they cannot see counts as a
 * deletion. Changes that the viewer cannot see do not affect the number of queries.
 * @returns null when no file left the path as far as the viewer may know.
 */
export async function findFormerPath(
  reader: Pick<Reader, 'changes' | 'files'>,
  { workspaceId, path, viewer }: Asked,
): Promise<FormerPath | null> {
  let departure = await reader.changes.findLastDeparture({ workspaceId, path, viewer });
  if (departure === null) return null;
  for (let moves = 0; moves < movesMax; moves += 1) {
    // A move is two adjacent records.
    const next = await seenAt(reader, workspaceId, viewer, departure.seq + 1);
    if (next?.op !== 'move' || next.movedFrom !== departure.path) break;
    const current = await reader.files.find(workspaceId, next.path);
    if (current?.incarnation === next.seq) return former('moved', next);
    const left = await reader.changes.findDeparture({ workspaceId, path: next.path, afterSeq: next.seq });
    const then = left === null ? null : await seenAt(reader, workspaceId, viewer, left.seq);
    if (then === null) return former('moved', next);
    departure = then;
  }
  return former('deleted', departure);
}

/** As `findFormerPath`, for the first file by path that left a folder. */
export async function findFormerPathsBelow(
  reader: Pick<Reader, 'changes' | 'files'>,
  { workspaceId, path: folder, viewer }: Asked,
): Promise<{ readonly from: WorkspacePath; readonly former: FormerPath } | null> {
  const left = await reader.changes.findDepartureBelow({ workspaceId, folder, viewer });
  if (left === null) return null;
  const found = await findFormerPath(reader, { workspaceId, path: left, viewer });
  return found === null ? null : { from: left, former: found };
}

interface Asked {
  readonly workspaceId: string;
  readonly path: WorkspacePath;
  readonly viewer: Viewer;
}

async function seenAt(
  { changes }: Pick<Reader, 'changes'>,
  workspaceId: string,
  viewer: Viewer,
  seq: number,
): Promise<ChangeRow | null> {
  const asked = { workspaceId, viewer, sinceSeq: seq - 1, limit: 1, includeComments: false };
  const [found] = (await changes.scan(asked)).changes;
  return found?.seq === seq ? found : null;
}

function former(kind: FormerPath['kind'], change: ChangeRow): FormerPath {
  const { path, createdAt: at, principal, actorId, actorKeyId, actorLabel } = change;
  return { kind, path, at, version: change.version ?? 1, by: { principal, actorId, actorKeyId, actorLabel } };
}
