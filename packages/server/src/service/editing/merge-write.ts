import type { QuotaError, WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { editedFileMaxBytes } from '../contents/edited-size.ts';
import { readWhole, readWholeIfKept } from '../contents/read-whole.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { tryInOrder, writeOver } from './try-in-order.ts';

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly version: number }
  /** The write is not stale, or cannot be merged: `writeFile` decides. */
  | { readonly kind: 'not_merged' }
  | QuotaError;

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

/**
 * Merges a whole text that was written for an earlier version with the changes since, where the two do not touch:
 * three-way, by lines, as git does (docs/merging.md).
 * @throws WorkspaceError `file_not_found`, `workspace_read_only`, `file_too_large`, `overloaded`
 */
export function mergeWrite(
  deps: Deps,
  access: WorkspaceAccess,
  written: {
    readonly path: WorkspacePath;
    readonly baseVersion: number;
    readonly content: Uint8Array;
  },
): Promise<MergeOutcome> {
  return tryInOrder(deps, access.workspace.id, written.path, () => tryMerge(deps, access, written));
}

/** @returns null when the file has changed since it was read. */
async function tryMerge(
  deps: Deps,
  access: WorkspaceAccess,
  { path, baseVersion, content }: Parameters<typeof mergeWrite>[2],
): Promise<MergeOutcome | null> {
  const workspaceId = access.workspace.id;
  const { reader } = deps.store;
  const file = await reader.files.find(workspaceId, path);
  await rejectHidden(reader, workspaceId, path, access.viewer);
  rejectReadOnly(access.workspace);
  if (file === null || baseVersion >= file.version) return { kind: 'not_merged' };
  const base = await reader.files.findVersion(workspaceId, path, baseVersion);
  if (base === null || base.incarnation !== file.incarnation) return { kind: 'not_merged' };
  const sizes = [base.sizeBytes, content.byteLength, file.sizeBytes];
  if (Math.max(...sizes) > editedFileMaxBytes) return { kind: 'not_merged' };
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return deps.editing.holding(workspaceId, bytes, async () => {
    const kept = await readWholeIfKept(deps, base);
    if (kept === null) return { kind: 'not_merged' };
    const current = await readWhole(deps, file);
    // A copy: contents that go to a worker are unusable here afterwards, and a retry needs this one.
    const response = await deps.editing.merge(workspaceId, {
      base: kept,
      mine: content.slice(),
      theirs: current,
    });
    if (response.kind !== 'merged') return { kind: 'not_merged' };
    const outcome = await writeOver(deps, access, path, file, {
      content: response.content,
      contentType: null,
    });
    switch (outcome?.kind) {
      case undefined:
        return null;
      case 'created':
      case 'updated':
      case 'unchanged':
        return { kind: 'merged', version: outcome.version };
      case 'quota_exceeded':
      case 'file_count_exceeded':
      case 'history_exceeded':
        return outcome;
    }
  });
}
