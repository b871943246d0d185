import type { ContentHash } from '../files/content.ts';
import { foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { BaseFile, LocalFile, Obstacle, RemoteFile, SyncTrees, UnknownReason } from './trees.ts';

export type KnownRemote = RemoteFile & { readonly hash: ContentHash };

/** The server's state of a path compared with the base. `same` has the base's content, whatever its version number. */
export type RemoteCell =
  | { readonly kind: 'absent' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'unknown_hash'; readonly file: RemoteFile }
  | { readonly kind: 'same' | 'other'; readonly file: KnownRemote };

export type LocalCell =
  /** `isFolder`: a folder has that name and may be in the way. */
  | { readonly kind: 'absent'; readonly isFolder: boolean }
  | { readonly kind: 'same' | 'other'; readonly file: LocalFile }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'blocked'; readonly by: Exclude<Obstacle, 'folder'> }
  | { readonly kind: 'ignored' };

/** One path in the three trees. */
export interface PathCell {
  readonly path: WorkspacePath;
  readonly base: BaseFile | null;
  readonly remote: RemoteCell;
  readonly local: LocalCell;
}

export function readCell(path: WorkspacePath, trees: SyncTrees, facts: SyncFacts): PathCell {
  const base = trees.base.get(path) ?? null;
  return {
    path,
    base,
    remote: remoteCell(path, base, trees, facts),
    local: localCell(path, base, trees, facts),
  };
}

function remoteCell(
  path: WorkspacePath,
  base: BaseFile | null,
  trees: SyncTrees,
  facts: SyncFacts,
): RemoteCell {
  const remote = trees.remote.get(path);
  if (remote === undefined) {
    return base === null ? { kind: 'absent' } : { kind: 'same', file: asRemote(base) };
  }
  if (remote.kind !== 'file') return { kind: remote.kind };
  const hash = remote.hash ?? respondedHash(path, remote, facts);
  if (hash === null) return { kind: 'unknown_hash', file: remote };
  return { kind: hash === base?.hash ? 'same' : 'other', file: { ...remote, hash } };
}

function respondedHash(path: WorkspacePath, remote: RemoteFile, facts: SyncFacts): ContentHash | null {
  const response = facts.hashes.get(path);
  return response?.version === remote.version ? response.hash : null;
}

function localCell(
  path: WorkspacePath,
  base: BaseFile | null,
  trees: SyncTrees,
  facts: SyncFacts,
): LocalCell {
  if (facts.isIgnored(path)) return { kind: 'ignored' };
  for (const folder of foldersAbove(path)) {
    const state = trees.localFolders.get(folder);
    if (state?.kind === 'unknown') return state;
  }
  const local = trees.local.get(path);
  if (local === undefined) {
    const isFolder = isLocalFolder(path, trees);
    if (base === null || base.stamp === null) return { kind: 'absent', isFolder };
    return { kind: 'same', file: asLocal(base, base.stamp) };
  }
  switch (local.kind) {
    case 'file':
      return { kind: local.hash === base?.hash && !local.isUntrusted ? 'same' : 'other', file: local };
    case 'absent':
      return { kind: 'absent', isFolder: isLocalFolder(path, trees) };
    case 'blocked':
      return local.by === 'folder' ? { kind: 'absent', isFolder: true } : { kind: 'blocked', by: local.by };
    case 'unknown':
    case 'ignored':
      return local;
  }
}

/** Whether the disk has the folder. The path is never the root. */
export function isLocalFolder(path: WorkspacePath, trees: SyncTrees): boolean {
  const state = trees.localFolders.get(path);
  return state === undefined ? trees.baseFolders.has(path) : state.kind === 'folder';
}

function asRemote({ version, hash, sizeBytes, contentType }: BaseFile): KnownRemote {
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  return { kind: 'file', version, hash, sizeBytes, contentType, ...origin };
}

function asLocal(base: BaseFile, stamp: NonNullable<BaseFile['stamp']>): LocalFile {
  const { hash, sizeBytes, object, localName, mode } = base;
  return { kind: 'file', hash, sizeBytes, stamp, object, localName, mode, isUntrusted: false };
}
