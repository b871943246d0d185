import { foldersAbove, type WorkspacePath } from './workspace-path.ts';

/** The paths whose privacy record can decide over `path`, nearest first: itself, then the folders above it. */
export function decidingPaths(path: WorkspacePath): WorkspacePath[] {
  return [path, ...foldersAbove(path).reverse()];
}

/** Who a path is visible to, from the owner of the nearest privacy record (null: no record, everyone). */
export function isVisibleTo(ownerId: string | null, viewerId: string): boolean {
  return ownerId === null || ownerId === viewerId;
}
