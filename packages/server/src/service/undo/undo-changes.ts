// docs/decisions/0063-undo-replays-what-others-did.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  compareByCodePoint,
  invalidRequest,
  isWithin,
  type PathPrefix,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { refuseReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { skewMs } from './read-timeline.ts';
import { TouchedPlaces } from './touched-places.ts';
import { type UndoneFile, undoFile } from './undo-file.ts';
import { isUndone, requireMayUndo, type UndoneActor, type UndoneChanges } from './undone-actor.ts';

export interface UndoWish {
  readonly actor: UndoneActor;
  /** In milliseconds since the epoch, included. */
  readonly since: number;
  /** Included as well; null: up to now. */
  readonly until: number | null;
  /** Only what is at or below it. */
  readonly prefix: PathPrefix;
  /** Goes on behind this path. */
  readonly afterPath: WorkspacePath | null;
  readonly dryRun: boolean;
}

export interface Undoing {
  /** By path. */
  readonly files: readonly UndoneFile[];
  /** The path to go on behind; null: these were all. */
  readonly nextPath: WorkspacePath | null;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

/** Changes of a workspace that are looked through for one call. */
const changesMax = 50_000;
/** Read at once: a few milliseconds, after which others are served. */
const pageChanges = 500;
/** Of one call. The file with which one of these is reached is the last of its answer. */
const filesMax = 200;
const bytesMax = 64 * 1024 * 1024;
const timeMs = 5_000;

/**
 * Takes one actor's changes of a time out of the files that they changed (interface: versions, Undo). Each file is a transaction of its
 * own, recorded as the caller's; what others did stays, and what cannot be had without them is left as it is.
 * @throws WorkspaceError `forbidden_role`, `workspace_read_only`, `invalid_request`, and those of `openForChange`
 */
export async function undoChanges(deps: Deps, access: WorkspaceAccess, wish: UndoWish): Promise<Undoing> {
  const { needsManager } = await requireMayUndo(deps, access, wish.actor);
  if (!wish.dryRun) refuseReadOnly(access.workspace);
  const { actor, since, until, prefix, afterPath, dryRun } = wish;
  const undone: UndoneChanges = { actor, since, until: until ?? Number.MAX_SAFE_INTEGER };
  const places = await readTouched(deps, access, undone);
  const paths = places
    .paths()
    .filter((path) => isWithin(path, prefix))
    .filter((path) => afterPath === null || compareByCodePoint(path, afterPath) > 0)
    .sort(compareByCodePoint);

  const files: UndoneFile[] = [];
  const endsAt = performance.now() + timeMs;
  let bytes = 0;
  const spend = (read: number) => {
    bytes += read;
  };
  const undoAt = (path: WorkspacePath) => {
    const departures = places.departuresAt(path);
    return undoFile(deps, access, { path, departures, undone, needsManager, dryRun, spend });
  };
  let nextPath: WorkspacePath | null = null;
  for (const [index, path] of paths.entries()) {
    const file = await undoAt(path);
    if (file !== null) files.push(file);
    const isEnough = files.length >= filesMax || bytes >= bytesMax || performance.now() >= endsAt;
    if (isEnough && index < paths.length - 1) {
      nextPath = path;
      break;
    }
    await nextTurn();
  }
  // What was in the way of a deleted file may have been the actor's as well, and be gone now.
  for (const [index, { path, reason }] of files.entries()) {
    const again = reason === 'path_taken' && !dryRun ? await undoAt(path) : null;
    if (again !== null) files[index] = again;
  }
  return { files, nextPath };
}

/** What the actor changed, as far as the caller sees it, and where it is now. */
async function readTouched(
  { store }: Pick<Deps, 'store'>,
  { workspace, viewer }: WorkspaceAccess,
  undone: UndoneChanges,
): Promise<TouchedPlaces> {
  return store.snapshot(async (reader) => {
    const places = new TouchedPlaces((change) => isUndone(undone, change));
    const head = await reader.changes.head(workspace.id);
    const first = await reader.changes.firstSeqAfter(workspace.id, undone.since - skewMs - 1);
    if (first === null) return places;
    const isLong = head - first >= changesMax;
    if (isLong && (await reader.changes.seqBeforeLast(workspace.id, changesMax)) >= first) {
      throw invalidRequest(
        'since: the workspace had more than 50,000 changes after this time, and no more are looked through: give a later time',
      );
    }
    let seq = first - 1;
    while (seq < head) {
      const { changes, scannedSeqs } = await reader.changes.scan({
        workspaceId: workspace.id,
        viewer,
        sinceSeq: seq,
        limit: pageChanges,
        includeComments: false,
      });
      for (const change of changes) places.add(change);
      seq = scannedSeqs.at(-1) ?? head;
      if (seq < head) await nextTurn();
    }
    return places;
  });
}
