import type { ContentHash, NodeKind, ShareAccess, Viewer, WorkspacePath } from '@stoa/core';

/** The version that a link is pinned to. Its bytes are found by hash, so the pin survives moves. */
export interface PinnedContent {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A stored link, with only hashes of its token and its password. */
export interface ShareRow {
  readonly id: string;
  readonly workspaceId: string;
  /** Current path of its file or folder: it follows moves. */
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  readonly access: ShareAccess;
  readonly tokenHash: string;
  readonly passwordHash: string | null;
  readonly pinned: PinnedContent | null;
  readonly allowScripts: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly viewCount: number;
}

export interface ShareReader {
  find(workspaceId: string, shareId: string): Promise<ShareRow | null>;
  findByTokenHash(tokenHash: string): Promise<ShareRow | null>;
  /** Links to exactly this path, oldest first. */
  listAt(workspaceId: string, path: WorkspacePath): Promise<readonly ShareRow[]>;
  /**
   * Links to paths that `viewer` may see, newest first, those after `before` (null: from the newest), at most `limit`.
   */
  page(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly before: Pick<ShareRow, 'id' | 'createdAt'> | null;
    readonly limit: number;
  }): Promise<readonly ShareRow[]>;
  /** The folders with links at this path and below, by path, those after `afterPath` (null: all), at most `limit`. */
  sharedFolderPage(query: {
    readonly workspaceId: string;
    readonly folder: WorkspacePath;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly WorkspacePath[]>;
  countAt(workspaceId: string, path: WorkspacePath): Promise<number>;
  /** The newest version with these bytes that was ever at `path`. */
  findVersionWithHash(
    workspaceId: string,
    path: WorkspacePath,
    contentHash: ContentHash,
  ): Promise<PinnedContent | null>;
  /** Views of a workspace's links, including deleted links. `sinceDay` counts days since the epoch and is inclusive. */
  views(workspaceId: string, sinceDay: number): Promise<{ readonly total: number; readonly recent: number }>;
}

export interface ShareWriter {
  insertShare(row: ShareRow): Promise<void>;
  setShareScripts(shareId: string, allowScripts: boolean): Promise<void>;
  deleteShare(shareId: string): Promise<void>;
  /** Deletes the links that this user made in any workspace. @returns their number. */
  deleteSharesBy(userId: string): Promise<number>;
  deleteSharesAt(workspaceId: string, path: WorkspacePath): Promise<void>;
  deleteSharesBelow(workspaceId: string, folder: WorkspacePath): Promise<void>;
  /** Moves the links of one kind from exactly `from` to `to`. */
  moveSharesAt(workspaceId: string, kind: NodeKind, from: WorkspacePath, to: WorkspacePath): Promise<void>;
  /** Also counts views of a link that was deleted in the meantime, for its workspace. */
  countShareViews(views: {
    readonly shareId: string;
    readonly workspaceId: string;
    readonly day: number;
    readonly count: number;
  }): Promise<void>;
}
