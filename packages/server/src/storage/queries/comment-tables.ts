import type { ContentHash, Principal, WorkspacePath } from '@stoa/core';

interface ActorColumns {
  principal: Principal;
  actor_id: string;
  actor_key_id: string | null;
  actor_label: string | null;
  created_at: number;
}

export interface CommentThreadTable extends ActorColumns {
  id: string;
  workspace_id: string;
  seq: number;
  path: WorkspacePath;
  resolved_at: number | null;
  resolved_at_version: number | null;
  resolved_by: string | null;
  pinned_version: number;
  pinned_content_hash: ContentHash;
  pinned_size_bytes: number;
  anchor_start: number;
  anchor_end: number;
  /** The `Anchor` as JSON: its texts come from files and may hold what a text column of some databases cannot. */
  anchor: string;
  body: string;
}

export interface CommentEntryTable extends ActorColumns {
  id: string;
  workspace_id: string;
  thread_id: string;
  seq: number;
  dedupe_key: string | null;
  body: string;
}
