import { type UndoLeftReason, type UndoOutcome, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { chunksOf } from '../contents/chunks-of.ts';
import { tryInOrder } from '../editing/try-in-order.ts';
import { rejectTakenPath } from '../files/put-version.ts';
import { withIncoming } from '../files/receive-content.ts';
import type { FileRow } from '../ports/files.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type PutUndoneCommand, type PutUndoneOutcome, putUndoneScript } from './put-undone.ts';
import { readTimeline, type Timeline } from './read-timeline.ts';
import { type ReplayedContent, readContent, replay } from './replay.ts';
import type { Departure } from './touched-paths.ts';
import type { UndoneChanges } from './undone-actor.ts';

/** Result for a file, expected in a dry run. */
export interface UndoneFile {
  readonly path: WorkspacePath;
  readonly outcome: UndoOutcome;
  /** The version afterwards; the last one of a deleted file. Null: there is no file. */
  readonly version: number | null;
  readonly reason: UndoLeftReason | null;
  readonly movedFrom: WorkspacePath | null;
  /** In a dry run, when the two can be compared. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

export interface FileUndoing {
  readonly path: WorkspacePath;
  readonly departures: readonly Departure[];
  readonly undone: UndoneChanges;
  readonly needsManager: boolean;
  readonly dryRun: boolean;
  /** Receives the number of bytes of versions to read. */
  readonly spend: (bytes: number) => void;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

/** Larger files are not compared in a dry run. */
const comparedMaxBytes = 1024 * 1024;

/** @returns null when the caller can no longer see the file. */
export async function undoFile(
  deps: Deps,
  access: WorkspaceAccess,
  undoing: FileUndoing,
): Promise<UndoneFile | null> {
  const attempt = async () => {
    const { path, departures, undone } = undoing;
    const timeline = await deps.store.snapshot((reader) =>
      readTimeline(reader, access, path, departures, undone),
    );
    if (timeline === null) return { file: null };
    const file = await deps.editing.holding(access.workspace.id, heldBytes(timeline, undoing), () =>
      tryUndo(deps, access, undoing, timeline),
    );
    return file === null ? null : { file };
  };
  try {
    return (await tryInOrder(deps, access.workspace.id, undoing.path, attempt)).file;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'hidden') return null;
    if (reason === null) throw error;
    return { path: undoing.path, outcome: 'left', version: null, reason, movedFrom: null, lines: null };
  }
}

/** Errors that concern only this file. */
function reasonOf(error: unknown): UndoLeftReason | 'hidden' | null {
  if (!(error instanceof WorkspaceError)) return null;
  switch (error.code) {
    case 'file_not_found':
      return 'hidden';
    case 'overloaded':
      return 'busy';
    case 'path_taken':
      return 'path_taken';
    case 'file_too_large':
      return 'too_large';
    case 'stored_bytes_missing':
      return 'version_not_kept';
    default:
      return null;
  }
}

/** Maximum memory of a merge or a comparison. */
function heldBytes({ current, steps }: Timeline, { dryRun }: FileUndoing): number {
  if (!dryRun && steps.every(({ isUndone }) => isUndone)) return 0;
  const sizes = [current, ...steps.map(({ after }) => after)].map((content) => content?.sizeBytes ?? 0);
  return 3 * sizes.reduce((most, size) => Math.max(most, size), 0);
}

/** @returns null when the file has changed since it was read. */
async function tryUndo(
  deps: Deps,
  access: WorkspaceAccess,
  undoing: FileUndoing,
  timeline: Timeline,
): Promise<UndoneFile | null> {
  const { path } = undoing;
  const { current, movedFrom } = timeline;
  const version = current?.version ?? null;
  const replayed = await replay(deps, timeline, undoing.spend);
  const reported = { path, version, movedFrom, lines: null } as const;
  if (replayed.kind === 'left') return { ...reported, outcome: 'left', reason: replayed.reason };
  const { content } = replayed;
  if (content?.contentHash === current?.contentHash) {
    if (movedFrom !== null) return { ...reported, outcome: 'left', reason: 'moved' };
    if (timeline.hasReplaced) return { ...reported, outcome: 'left', reason: 'path_taken' };
    return { ...reported, outcome: 'unchanged', reason: null };
  }
  const done = { ...reported, outcome: outcomeOf(content, current), reason: null };
  if (undoing.dryRun) {
    const { workspace, viewer } = access;
    if (current === null) await rejectTakenPath(deps.store.reader, workspace.id, path, viewer);
    return { ...done, lines: await countLines(deps, current, content, undoing.spend) };
  }
  const put = await putUndone(deps, access, undoing, current, content);
  switch (put.kind) {
    case 'put':
      return { ...done, version: put.version };
    case 'moved_on':
      return null;
    case 'workspace_full':
      return { ...reported, outcome: 'left', reason: 'workspace_full' };
  }
}

function outcomeOf(content: ReplayedContent | null, current: FileRow | null): UndoOutcome {
  if (content === null) return 'deleted';
  if (current === null) return 'recreated';
  return content.bytes === undefined ? 'restored' : 'merged';
}

async function putUndone(
  deps: Deps,
  access: WorkspaceAccess,
  { path, needsManager }: FileUndoing,
  current: FileRow | null,
  content: ReplayedContent | null,
): Promise<PutUndoneOutcome> {
  const seen = current === null ? null : { version: current.version, contentHash: current.contentHash };
  const put = (result: PutUndoneCommand['result']) =>
    deps.store.transact(putUndoneScript, {
      ...authorOf(access, deps.clock()),
      path,
      seen,
      needsManager,
      result,
    });
  if (content === null) return (await put({ kind: 'gone' })).outcome;
  const { contentHash, sizeBytes, contentType, bytes } = content;
  if (bytes === undefined) {
    return (await put({ kind: 'stored', contentHash, sizeBytes, contentType })).outcome;
  }
  return withIncoming(deps, access, chunksOf(bytes), (incoming) =>
    put({ kind: 'merged', content: incoming.content, contentType }),
  );
}

async function countLines(
  deps: Deps,
  current: FileRow | null,
  content: ReplayedContent | null,
  spend: (bytes: number) => void,
): Promise<UndoneFile['lines']> {
  const sizes = [current?.sizeBytes ?? 0, content?.sizeBytes ?? 0];
  const workspaceId = current?.workspaceId ?? content?.workspaceId;
  if (workspaceId === undefined || Math.max(...sizes) > comparedMaxBytes) return null;
  spend(sizes.reduce((sum, size) => sum + size, 0));
  const before = current === null ? new Uint8Array(0) : await readContent(deps, current);
  const now = content === null ? new Uint8Array(0) : await readContent(deps, content);
  if (before === null || now === null) return null;
  const changed = await deps.editing.compare(workspaceId, {
    before,
    now,
    most: { lines: 0, lineCharacters: 0 },
  });
  return changed === null ? null : { added: changed.added, removed: changed.removed };
}
