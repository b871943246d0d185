// docs/decisions/0006-file-ids.md
import { type ContentHash, type Viewer, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import { hasLeftInPrivate } from '../privacy/left-in-private.ts';
import { collectVersions } from './list-versions.ts';

/** Hidden versions are rare enough to list all visible ones. */
const everyVersion = 100_000;

/** Identifies a version (interface: versions, Read a version). */
export interface VersionTarget {
  readonly path: WorkspacePath;
  readonly version: number;
  /** Its content hash, or null: the number alone identifies the newest version here that has it. */
  readonly contentHash: ContentHash | null;
}

/**
 * Finds a stored version at a path. By number alone: of the current file, else of the newest earlier file there that
 * has this version. By number and content: any version that is listed there.
 * @throws WorkspaceError `version_not_found`, or `file_not_found` when no file was ever there.
 */
export async function requireVersion(
  reader: Pick<Reader, 'files'>,
  from: Asking,
  target: VersionTarget,
): Promise<VersionRow> {
  const found = await findKept(reader, from, target);
  if (found !== null) return found;
  const incarnations = await reader.files.incarnationsAt(from.workspaceId, target.path);
  throw new WorkspaceError(incarnations.length === 0 ? 'file_not_found' : 'version_not_found');
}

interface Asking {
  readonly workspaceId: string;
  readonly viewer: Viewer;
}

function findKept(
  { files }: Pick<Reader, 'files'>,
  from: Asking,
  { path, version, contentHash }: VersionTarget,
): Promise<VersionRow | null> {
  return contentHash === null
    ? files.findVersion(from.workspaceId, path, version)
    : files.findListedVersion({ ...from, path, version, contentHash });
}

/** A version that the caller may see, and whether the lookup had to skip hidden ones. */
export interface SeenVersionRow {
  readonly row: VersionRow;
  readonly isBehindHidden: boolean;
}

/**
 * As `requireVersion`, without versions that other members' private files left behind (`hasLeftInPrivate`). `reader`
 * must be one snapshot.
 */
export async function requireSeenVersion(
  reader: Reader,
  from: Asking,
  target: VersionTarget,
): Promise<SeenVersionRow> {
  const { workspaceId, viewer } = from;
  const { path, version, contentHash } = target;
  const row = await findKept(reader, from, target);
  // A lookup by content also finds versions from other paths: they are listed with the file that was moved here.
  const isOneFile = row !== null && contentHash === null;
  const began = isOneFile ? [row.incarnation] : await reader.files.incarnationsAt(workspaceId, path);
  let isAnyHidden = false;
  for (const incarnation of began) {
    isAnyHidden ||= await hasLeftInPrivate(reader, workspaceId, { path, incarnation }, viewer);
  }
  if (!isAnyHidden) {
    if (row !== null) return { row, isBehindHidden: false };
    throw new WorkspaceError(began.length === 0 ? 'file_not_found' : 'version_not_found');
  }
  const here = isOneFile ? await reader.files.incarnationsAt(workspaceId, path) : began;
  const listed = await collectVersions(
    reader,
    { workspace: { id: workspaceId }, viewer },
    path,
    everyVersion,
  );
  if (listed === null) throw new WorkspaceError('file_not_found');
  const isFitting = (each: VersionRow) =>
    contentHash === null ? here.includes(each.incarnation) : each.contentHash === contentHash;
  const [newest] = listed
    .map((each) => each.row)
    .filter((each) => each.version === version && isFitting(each))
    .toSorted((a, b) => b.incarnation - a.incarnation);
  if (newest === undefined) throw new WorkspaceError('version_not_found');
  return { row: newest, isBehindHidden: true };
}

/** As `requireSeenVersion`, but null when there is no such version. */
export async function findSeenVersion(
  reader: Reader,
  from: Asking,
  target: VersionTarget,
): Promise<VersionRow | null> {
  try {
    return (await requireSeenVersion(reader, from, target)).row;
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
