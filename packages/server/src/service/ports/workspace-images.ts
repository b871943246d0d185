import type { ContentHash, ImageType } from '@stoa/core';

/** The image that a workspace uses as its icon: at most one, of at most `workspaceImageMaxBytes`. */
export interface WorkspaceImageRow {
  readonly contentHash: ContentHash;
  readonly imageType: ImageType;
  readonly bytes: Uint8Array;
}

export interface WorkspaceImageReader {
  /** Null unless the workspace has exactly this image. */
  find(workspaceId: string, contentHash: ContentHash): Promise<WorkspaceImageRow | null>;
}

export interface WorkspaceImageWriter {
  putWorkspaceImage(workspaceId: string, row: WorkspaceImageRow): Promise<void>;
  removeWorkspaceImage(workspaceId: string): Promise<void>;
}
