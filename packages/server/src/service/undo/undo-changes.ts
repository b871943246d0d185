// docs/decisions/0022-edits-are-rebased.md
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  compareByCodePoint,
  invalidRequest,
  isWithin,
  type PathPrefix,
  type WorkspacePath,
} from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import { rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { skewMs } from './read-timeline.ts';
import { sortPaths } from './sort-paths.ts';
import { TouchedLocations } from './touched-paths.ts';
import { type UndoneFile, undoFile } from './undo-file.ts';
import { isUndone, requireMayUndo, type UndoneActor, type UndoneChanges } from './undone-actor.ts';

export interface UndoOptions {
  readonly actor: UndoneActor;
  /** In milliseconds since the epoch, inclusive. */
  readonly since: number;
  /** Inclusive; null: up to now. */
  readonly until: number | null;
  /** Only files at or below it. */
  readonly prefix: PathPrefix;
  /** Continues after this path. */
  readonly afterPath: WorkspacePath | null;
  readonly dryRun: boolean;
}

export interface Undoing {
  /** By path. */
  readonly files: readonly UndoneFile[];
  /** The path to continue after; null at the end. */
  readonly nextPath: WorkspacePath | null;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

const changesMax = 50_000;
/** One page takes a few milliseconds, after which other requests run. */
const pageChanges = 500;
/** Limits of one call. The file that reaches one of them is the last in the response. */
const filesMax = 200;
const bytesMax = 64 * 1024 * 1024;
const timeMs = 5_000;

/**
 * Removes one actor's changes in a period from the files that they changed (interface: versions, Undo). Each file is a
 * transaction of its own, recorded as the caller's change. Other users' changes stay; a file whose later changes depend
 * on the undone ones is left unchanged.
 * @throws WorkspaceError `forbidden_role`, `workspace_read_only`, `invalid_request`, and those of `openForChange`
 */
export async function undoChanges(
  deps: Deps,
  access: WorkspaceAccess,
  options: UndoOptions,
): Promise<Undoing> {
  const { needsManager } = await requireMayUndo(deps, access, options.actor);
  if (!options.dryRun) rejectReadOnly(access.workspace);
  const { actor, since, until, prefix, afterPath, dryRun } = options;
  const undone: UndoneChanges = { actor, since, until: until ?? Number.MAX_SAFE_INTEGER };
  const locations = await readTouched(deps, access, undone);
  const meter = createWorkMeter();
  const wanted: WorkspacePath[] = [];
  for (const path of locations.paths()) {
    const isBefore = afterPath !== null && compareByCodePoint(path, afterPath) <= 0;
    if (isWithin(path, prefix) && !isBefore) wanted.push(path);
    await meter.spend(path.length);
  }
  const paths = await sortPaths(wanted, meter);

  const files: UndoneFile[] = [];
  const endsAt = performance.now() + timeMs;
  let bytes = 0;
  const spend = (read: number) => {
    bytes += read;
  };
  const undoAt = (path: WorkspacePath) => {
    const departures = locations.departuresAt(path);
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
    await nextTick();
  }
  // The obstacle at a deleted file's path may also have been the actor's change, and be undone by now.
  for (const [index, { path, reason }] of files.entries()) {
    const again = reason === 'path_taken' && !dryRun ? await undoAt(path) : null;
    if (again !== null) files[index] = again;
  }
  return { files, nextPath };
}

/** Finds the files that the actor changed, at their current paths, as far as the caller may see them. */
async function readTouched(
  { store }: Pick<Deps, 'store'>,
  { workspace, viewer }: WorkspaceAccess,
  undone: UndoneChanges,
): Promise<TouchedLocations> {
  return store.snapshot(async (reader) => {
    const locations = new TouchedLocations((change) => isUndone(undone, change));
    const head = await reader.changes.head(workspace.id);
    const first = await reader.changes.firstSeqAfter(workspace.id, undone.since - skewMs - 1);
    if (first === null) return locations;
    const isLong = head - first >= changesMax;
    if (isLong && (await reader.changes.seqBeforeLast(workspace.id, changesMax)) >= first) {
      throw invalidRequest(
        'since: the workspace had more than 50,000 changes after this time, the maximum for one call: give a later time',
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
      for (const change of changes) locations.add(change);
      seq = scannedSeqs.at(-1) ?? head;
      if (seq < head) await nextTick();
    }
    return locations;
  });
}
