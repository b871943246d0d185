// docs/decisions/0012-share-links-and-stored-bytes.md
import { anonymous, type WorkspacePath } from '@stoa/core';
import type { FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ShareRow } from '../ports/shares.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { findOwner } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { hashShareToken } from './share-keys.ts';

export type SharedItem =
  /** The file as shown: the pinned version of a pinned link. */
  | { readonly kind: 'file'; readonly file: FileRow }
  | { readonly kind: 'folder'; readonly path: WorkspacePath };

export interface FoundShare {
  readonly share: ShareRow;
  readonly item: SharedItem;
}

/**
 * Finds the item of a link, in one snapshot, before the visitor is known. Private items count as missing, even for
 * their owner; a file link shows its file alone, a folder link the files below its folder.
 * @param below canonical, relative to the shared folder; empty for the shared item itself.
 * @returns null for everything that cannot be opened, without distinction.
 */
export async function findShared(
  { store }: Pick<ServiceDeps, 'store'>,
  token: string,
  below: string,
): Promise<FoundShare | null> {
  const tokenHash = hashShareToken(token);
  if (tokenHash === null) return null;
  return store.snapshot(async (reader) => {
    const share = await reader.shares.findByTokenHash(tokenHash);
    if (share === null) return null;
    const workspace = await reader.workspaces.find(share.workspaceId);
    if (workspace === null || (await findOwner(reader, workspace.id, share.path)) !== null) return null;
    const item =
      share.kind === 'file'
        ? await findFile(reader, share, below)
        : await findWithin(reader, workspace, share, below);
    return item === null ? null : { share, item };
  });
}

async function findFile(
  reader: Reader,
  { workspaceId, path, pinned }: ShareRow,
  below: string,
): Promise<SharedItem | null> {
  if (below !== '') return null;
  const file = await reader.files.find(workspaceId, path);
  if (file === null) return null;
  return { kind: 'file', file: pinned === null ? file : { ...file, ...pinned } };
}

async function findWithin(
  reader: Reader,
  workspace: WorkspaceRow,
  share: ShareRow,
  below: string,
): Promise<SharedItem | null> {
  // Both parts are canonical, so the whole is.
  const path = (below === '' ? share.path : `${share.path}/${below}`) as WorkspacePath;
  if (!(await reader.files.hasVisibleAtOrBelow(workspace.id, path, anonymous))) return null;
  const file = await reader.files.find(workspace.id, path);
  if (file === null) return { kind: 'folder', path };
  // The path of the folder link is now a file: nothing is shared.
  return below === '' ? null : { kind: 'file', file };
}
