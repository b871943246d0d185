import {
  type ConflictKeep,
  contentTypeAfterMove,
  invalidRequest,
  type OverlapTexts,
  type QuotaError,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { chunksOf } from '../contents/chunks-of.ts';
import { editedFileMaxBytes } from '../contents/edited-size.ts';
import { readWhole, readWholeIfKept } from '../contents/read-whole.ts';
import { tryInOrder } from '../editing/try-in-order.ts';
import { withIncoming } from '../files/receive-content.ts';
import { findSeenVersion } from '../files/require-version.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { authorOf, rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { findLostRace } from './find-lost-race.ts';
import { type SettleConflictCommand, settleConflictScript } from './settle-conflict.ts';

export type ResolveConflictOutcome =
  | {
      readonly kind: 'resolved';
      /** The file, with its new version. */
      readonly path: WorkspacePath;
      readonly version: number;
      readonly merged: boolean;
    }
  /** Both changed the same lines: nothing was changed. */
  | { readonly kind: 'overlapping'; readonly path: WorkspacePath; readonly overlaps: OverlapTexts }
  /** The common base is unknown or not stored. */
  | { readonly kind: 'no_base'; readonly path: WorkspacePath }
  | QuotaError;

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

interface Wanted {
  readonly copy: WorkspacePath;
  readonly keep: ConflictKeep;
}

/** A conflicted copy and its file, as read. */
interface Pair {
  readonly copy: FileRow;
  readonly path: WorkspacePath;
  /** Null when the file is deleted. */
  readonly current: FileRow | null;
  /** The common base, if it is known and stored. */
  readonly base: VersionRow | null;
}

/**
 * Resolves a conflict (interface: conflicted-copies, Resolve): one text is kept, and the same commit deletes the copy.
 * @throws WorkspaceError `file_not_found` when there is no such copy, or no file to keep; `workspace_read_only`,
 * `invalid_request`, `path_taken`, `file_too_large`, `overloaded`
 */
export async function resolveConflict(
  deps: Deps,
  access: WorkspaceAccess,
  wanted: Wanted,
): Promise<ResolveConflictOutcome> {
  const { path } = await readPair(deps, access, wanted.copy);
  return tryInOrder(deps, access.workspace.id, path, () => tryResolve(deps, access, wanted));
}

async function readPair(
  { store }: Deps,
  { workspace: { id: workspaceId }, viewer }: WorkspaceAccess,
  copyPath: WorkspacePath,
): Promise<Pair> {
  const { reader } = store;
  const copy = await reader.files.find(workspaceId, copyPath);
  await rejectHidden(reader, workspaceId, copyPath, viewer);
  if (copy === null) throw new WorkspaceError('file_not_found');
  const race = await findLostRace(reader, copy);
  if (race === null) {
    throw new WorkspaceError(
      'file_not_found',
      {},
      'This is not a conflicted copy, so there is nothing to resolve. path is the copy, named like "plan (conflicted copy …).md"',
    );
  }
  const { path } = race;
  const target = race.base === null ? null : { path, ...race.base };
  const base =
    target === null
      ? null
      : await store.snapshot((each) => findSeenVersion(each, { workspaceId, viewer }, target));
  const current = await reader.files.find(workspaceId, path);
  await rejectHidden(reader, workspaceId, path, viewer);
  return { copy, path, current, base };
}

/** @returns null when the file or the copy has changed since it was read. */
async function tryResolve(
  deps: Deps,
  access: WorkspaceAccess,
  { copy: copyPath, keep }: Wanted,
): Promise<ResolveConflictOutcome | null> {
  const pair = await readPair(deps, access, copyPath);
  const { copy, path, current } = pair;
  if (keep === 'copy') {
    rejectReadOnly(access.workspace);
    const { contentHash, sizeBytes } = copy;
    const contentType = current?.contentType ?? contentTypeAfterMove(copy.contentType, copyPath, path);
    return settle(deps, access, pair, { kind: 'stored', contentHash, sizeBytes, contentType });
  }
  if (current === null) throw new WorkspaceError('file_not_found');
  if (keep === 'current') return settle(deps, access, pair, { kind: 'current' });
  rejectReadOnly(access.workspace);
  return merge(deps, access, pair, current);
}

async function merge(
  deps: Deps,
  access: WorkspaceAccess,
  pair: Pair,
  current: FileRow,
): Promise<ResolveConflictOutcome | null> {
  const { copy, path, base } = pair;
  const { id: workspaceId } = access.workspace;
  if (base === null) return { kind: 'no_base', path };
  const sizes = [base.sizeBytes, copy.sizeBytes, current.sizeBytes];
  if (Math.max(...sizes) > editedFileMaxBytes) throw unmergeable(`${path} is larger than 16 MiB`);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return deps.editing.holding(workspaceId, bytes, async () => {
    const kept = await readWholeIfKept(deps, base);
    if (kept === null) return { kind: 'no_base', path };
    const [mine, theirs] = [await readWhole(deps, copy), await readWhole(deps, current)];
    const response = await deps.editing.merge(workspaceId, { base: kept, mine, theirs });
    switch (response.kind) {
      case 'not_text':
        throw unmergeable(`${path} is not text`);
      case 'overlapping':
        return { kind: 'overlapping', path, overlaps: response.overlaps };
      case 'merged':
        return withIncoming(deps, access, chunksOf(response.content), ({ content }) =>
          settleWith(deps, access, pair, {
            kind: 'merged',
            content,
            contentType: current.contentType,
          }),
        );
    }
  });
}

function unmergeable(fault: string): WorkspaceError {
  return invalidRequest(`${fault}, so it cannot be merged. Next: keep current or copy`);
}

type Kept = SettleConflictCommand['kept'];

async function settle(
  deps: Deps,
  access: WorkspaceAccess,
  pair: Pair,
  kept: Kept,
): Promise<ResolveConflictOutcome | null> {
  return (await settleWith(deps, access, pair, kept)).outcome;
}

async function settleWith(
  deps: Deps,
  access: WorkspaceAccess,
  { copy, path, current }: Pair,
  kept: Kept,
): Promise<{ readonly outcome: ResolveConflictOutcome | null; readonly contentKept: boolean }> {
  const { outcome, contentKept } = await deps.store.transact(settleConflictScript, {
    ...authorOf(access, deps.clock()),
    copy: { path: copy.path, version: copy.version, contentHash: copy.contentHash },
    original: {
      path,
      seen: current === null ? null : { version: current.version, contentHash: current.contentHash },
    },
    kept,
  });
  switch (outcome.kind) {
    case 'moved_on':
      return { outcome: null, contentKept };
    case 'settled': {
      const { version } = outcome;
      return {
        outcome: { kind: 'resolved', path, version, merged: kept.kind === 'merged' },
        contentKept,
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return { outcome, contentKept };
  }
}
