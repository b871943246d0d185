// Workspaces contain only files. Without a placeholder, other machines would lose an empty folder.
import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import { type Verdict, wantedOf } from './decide-path.ts';
import { folderOf, isPlaceholder, isPlaceholderPath } from './is-placeholder.ts';
import { isLocalFolder, type PathCell } from './path-cell.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

const inSync: Verdict = { kind: 'in_sync' };

/**
 * Whether the path has only a placeholder on each side. Its local form is then the folder: a local file of that name and
 * content is neither sent nor removed.
 */
export function isKeptFolderCell({ path, base, remote, local }: PathCell): boolean {
  if (!isPlaceholderPath(path)) return false;
  if (local.kind === 'ignored' || local.kind === 'unknown' || local.kind === 'blocked') return false;
  if (base !== null && !isPlaceholder(path, base.hash)) return false;
  // A folder with the placeholder's own name is in the way like any other.
  if (local.kind === 'absent' && local.isFolder) return false;
  if (local.kind !== 'absent' && !isPlaceholder(path, local.file.hash)) return false;
  if (remote.kind === 'unknown_hash') return false;
  return remote.kind === 'absent' || remote.kind === 'hidden' || isPlaceholder(path, remote.file.hash);
}

/** Applies the table with the folder as the local form of the file. New empty folders are decided with the folders. */
export function decidePlaceholder(
  { path, base, remote }: PathCell,
  trees: SyncTrees,
  facts: SyncFacts,
): Verdict {
  const folder = folderOf(path);
  const state = folder === null ? undefined : trees.localFolders.get(folder);
  if (state?.kind === 'unknown') return { kind: 'wait' };
  const isThere = folder === null || isLocalFolder(folder, trees);
  if (remote.kind !== 'same' && remote.kind !== 'other') {
    return base === null ? inSync : { kind: 'do', operations: [{ kind: 'forget', row: 15, path }] };
  }
  const { file } = remote;
  const there = wantedOf(file);
  if (base === null) {
    if (isThere || folder === null) {
      return { kind: 'do', operations: [{ kind: 'adopt', row: 3, path, remote: there, local: null }] };
    }
    return { kind: 'do', operations: [{ kind: 'make_folder', row: 2, path, folder, remote: there }] };
  }
  if (isThere) {
    const isRenewed = file.version !== base.version || file.hash !== base.hash;
    if (!isRenewed) return inSync;
    return { kind: 'do', operations: [{ kind: 'adopt', row: 7, path, remote: there, local: null }] };
  }
  return facts.isHealthy ? deleteThere(path, file.version, file.hash) : { kind: 'wait' };
}

function deleteThere(path: WorkspacePath, version: number, hash: ContentHash): Verdict {
  const remote = { kind: 'file', version, hash } as const;
  return { kind: 'do', operations: [{ kind: 'delete_there', row: 9, path, remote }] };
}
