import type { ContentHash, NodeKind, ShareAccess, Viewer, WorkspacePath } from '@stoa/core';

/** The version that a link is pinned to. Its bytes are found by their hash, so the pin survives moves. */
export interface PinnedContent {
  readonly version: number;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A link as kept: of its token and its password only hashes. */
export interface ShareRow {
  readonly id: string;
  readonly workspaceId: string;
  /** Where its file or folder is now: it follows moves. */
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
  /** Links to paths that `viewer` may see, newest first, those after `before` (null: from the newest), at most `limit`. */
  page(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly before: Pick<ShareRow, 'id' | 'createdAt'> | null;
    readonly limit: number;
  }): Promise<readonly ShareRow[]>;
  /** Folder links at this path and below, by path. */
  listFoldersWithin(workspaceId: string, folder: WorkspacePath): Promise<readonly ShareRow[]>;
  countAt(workspaceId: string, path: WorkspacePath): Promise<number>;
  /** The newest version that stood at `path` with these bytes. */
  findVersionWithHash(
    workspaceId: string,
    path: WorkspacePath,
    contentHash: ContentHash,
  ): Promise<PinnedContent | null>;
  /** Views of a workspace's links, ended ones included. `sinceDay` is a day since the epoch, itself counted. */
  views(workspaceId: string, sinceDay: number): Promise<{ readonly total: number; readonly recent: number }>;
}

export interface ShareWriter {
  insertShare(row: ShareRow): Promise<void>;
  setShareScripts(shareId: string, allowScripts: boolean): Promise<void>;
  deleteShare(shareId: string): Promise<void>;
  /** All links that this person made, wherever. @returns how many there were. */
  deleteSharesBy(userId: string): Promise<number>;
  deleteSharesAt(workspaceId: string, path: WorkspacePath): Promise<void>;
  deleteSharesBelow(workspaceId: string, folder: WorkspacePath): Promise<void>;
  /** Moves the links of one kind from exactly `from` to `to`. */
  moveSharesAt(workspaceId: string, kind: NodeKind, from: WorkspacePath, to: WorkspacePath): Promise<void>;
  /** A link that was ended meanwhile still counts for its workspace. */
  countShareViews(views: {
    readonly shareId: string;
    readonly workspaceId: string;
    readonly day: number;
    readonly count: number;
  }): Promise<void>;
}
