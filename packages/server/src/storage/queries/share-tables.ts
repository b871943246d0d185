import type { ContentHash, NodeKind, ShareAccess, WorkspacePath } from '@stoa/core';

/** The pinned columns are all set or all null. */
export interface ShareTable {
  id: string;
  workspace_id: string;
  path: WorkspacePath;
  kind: NodeKind;
  access: ShareAccess;
  token_hash: string;
  password_hash: string | null;
  pinned_version: number | null;
  pinned_hash: ContentHash | null;
  pinned_bytes: number | null;
  pinned_type: string | null;
  allow_scripts: number;
  created_by: string;
  created_at: number;
  views: number;
}

export interface ShareViewDayTable {
  workspace_id: string;
  day: number;
  views: number;
}
