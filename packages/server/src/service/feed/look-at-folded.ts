import type { WorkspacePath } from '@stoa/core';
import { WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { findLostRace } from '../conflicts/find-lost-race.ts';
import { readWholeIfKept } from '../contents/read-whole.ts';
import type { ChangedLines } from '../editing/changed-lines.ts';
import { readVersion } from '../files/read-file.ts';
import type { FileRow } from '../ports/files.ts';
import { isHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { FoldedFile } from './fold-changes.ts';

/** Current state of a file from the feed. */
export interface LookedAt {
  /** Null: deleted, a folder that became shared, or hidden from the caller. */
  readonly file: FileRow | null;
  /** Unresolved threads on it. */
  readonly openThreads: number;
  /** The file of a conflicted copy, if the caller may see it. */
  readonly conflictOf: WorkspacePath | null;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'editing'>;

/** Larger files are not compared. */
const comparedMaxBytes = 1024 * 1024;

/** @returns null when the caller can no longer see it. */
export async function lookAtFolded(
  { store }: Pick<Deps, 'store'>,
  { workspace, viewer }: WorkspaceAccess,
  { path, kind, conflictOf, comments }: FoldedFile,
): Promise<LookedAt | null> {
  const filter = {
    workspaceId: workspace.id,
    viewer,
    path,
    threadId: null,
    status: 'open',
    authorId: null,
  } as const;
  return store.snapshot(async (reader) => {
    const isGone = await isHidden(reader, workspace.id, path, viewer);
    if (kind === 'hidden') {
      // While private, its files may have been moved or deleted: the caller still does not see them.
      const isBack = !isGone && (await reader.files.hasVisibleAtOrBelow(workspace.id, path, viewer));
      return isBack ? null : { file: null, openThreads: 0, conflictOf: null };
    }
    if (isGone) return null;
    const file = kind === 'deleted' ? null : await reader.files.find(workspace.id, path);
    const isFolder =
      kind === 'shared' && (await reader.files.hasVisibleAtOrBelow(workspace.id, path, viewer));
    if (file === null && kind !== 'deleted' && !isFolder) return null;
    // The feed has the path at the time of the conflict; a copy that was moved with its folder belongs to the file next
    // to it.
    const race = conflictOf === null || file === null ? null : await findLostRace(reader, file);
    const original = race?.path ?? conflictOf;
    const isOriginalSeen = original !== null && !(await isHidden(reader, workspace.id, original, viewer));
    const { total: openThreads } =
      comments === null ? { total: 0 } : await reader.comments.scan({ ...filter, offset: 0, limit: 1 });
    return { file, openThreads, conflictOf: isOriginalSeen ? original : null };
  });
}

/** @returns null when the two cannot be compared: too large, not text, or not stored. */
export async function changedLinesOf(
  deps: Deps,
  access: WorkspaceAccess,
  { base, origin }: FoldedFile,
  file: FileRow,
  most: { readonly lines: number; readonly lineCharacters: number },
): Promise<ChangedLines | null> {
  const older = origin === null ? null : await baseOf(deps, access, base);
  if (origin !== null && older === null) return null;
  const sizes = [older?.sizeBytes ?? 0, file.sizeBytes];
  if (sizes.some((size) => size > comparedMaxBytes)) return null;
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return deps.editing.holding(access.workspace.id, bytes, async () => {
    const [before, now] = [
      older === null ? new Uint8Array(0) : await readWholeIfKept(deps, older),
      await readWholeIfKept(deps, file),
    ];
    if (before === null || now === null) return null;
    return deps.editing.compare(access.workspace.id, { before, now, most });
  });
}

async function baseOf(deps: Deps, access: WorkspaceAccess, base: FoldedFile['base']) {
  if (base === null) return null;
  try {
    return (await readVersion(deps, access, base)).file;
  } catch (error) {
    if (error instanceof WorkspaceError && /^(file|version)_not_found$/.test(error.code)) return null;
    throw error;
  }
}
