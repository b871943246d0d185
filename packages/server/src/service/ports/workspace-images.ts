import type { ContentHash, ImageType } from '@stoa/core';

/** The image that a workspace has for an icon: one at most, at most `workspaceImageMaxBytes`. */
export interface WorkspaceImageRow {
  readonly contentHash: ContentHash;
  readonly imageType: ImageType;
  readonly bytes: Uint8Array;
}

export interface WorkspaceImageReader {
  /** Null unless the workspace's image is this very one. */
  find(workspaceId: string, contentHash: ContentHash): Promise<WorkspaceImageRow | null>;
}

export interface WorkspaceImageWriter {
  /** In place of the one that was there. */
  putWorkspaceImage(workspaceId: string, row: WorkspaceImageRow): Promise<void>;
  removeWorkspaceImage(workspaceId: string): Promise<void>;
}
