import type { WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { CommentWriter } from '../../service/ports/comment-store.ts';
import type { CommentEntryTable, CommentThreadTable } from './comment-tables.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

type NewThread = Omit<CommentThreadTable, 'resolved_at' | 'resolved_at_version' | 'resolved_by'>;
type NewResolution = {
  threadId: string;
  at: number | null;
  atVersion: number | null;
  userId: string | null;
};
type Move = { workspaceId: string; from: WorkspacePath; to: WorkspacePath };

export type CommentWrites = ReturnType<typeof commentWrites>;

export function commentWrites({ db, paths }: QueryDialect) {
  return {
    insertThread: compileQuery((row: Placeholders<NewThread>) =>
      db.insertInto('comment_thread').values({
        id: row.id,
        workspace_id: row.workspace_id,
        seq: row.seq,
        path: row.path,
        actor_id: row.actor_id,
        resolved_at: null,
        resolved_at_version: null,
        resolved_by: null,
        principal: row.principal,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        pinned_version: row.pinned_version,
        pinned_content_hash: row.pinned_content_hash,
        pinned_size_bytes: row.pinned_size_bytes,
        anchor_start: row.anchor_start,
        anchor_end: row.anchor_end,
        anchor: row.anchor,
        body: row.body,
      }),
    ),
    insertEntry: compileQuery((row: Placeholders<CommentEntryTable>) =>
      db.insertInto('comment_entry').values({
        id: row.id,
        workspace_id: row.workspace_id,
        thread_id: row.thread_id,
        seq: row.seq,
        dedupe_key: row.dedupe_key,
        principal: row.principal,
        actor_id: row.actor_id,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        body: row.body,
      }),
    ),
    setResolution: compileQuery(({ threadId, at, atVersion, userId }: Placeholders<NewResolution>) =>
      db
        .updateTable('comment_thread')
        .set({ resolved_at: at, resolved_at_version: atVersion, resolved_by: userId })
        .where('id', '=', threadId),
    ),
    move: compileQuery(({ workspaceId, from, to }: Placeholders<Move>) =>
      db
        .updateTable('comment_thread')
        .set({ path: to })
        .where('workspace_id', '=', workspaceId)
        .where(paths.same(sql.ref('path'), from)),
    ),
  };
}

export function createCommentWriter(executor: Executor, writes: CommentWrites): CommentWriter {
  return {
    async insertThread(row) {
      await writes.insertThread.run(executor, {
        id: row.id,
        workspace_id: row.workspaceId,
        seq: row.seq,
        path: row.path,
        actor_id: row.actorId,
        principal: row.principal,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        pinned_version: row.pinnedVersion,
        pinned_content_hash: row.pinnedContentHash,
        pinned_size_bytes: row.pinnedSizeBytes,
        anchor_start: row.pinnedRange.start,
        anchor_end: row.pinnedRange.end,
        anchor: JSON.stringify(row.anchor),
        body: row.body,
      });
    },
    async insertEntry(row) {
      await writes.insertEntry.run(executor, {
        id: row.id,
        workspace_id: row.workspaceId,
        thread_id: row.threadId,
        seq: row.seq,
        dedupe_key: row.dedupeKey,
        principal: row.principal,
        actor_id: row.actorId,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        body: row.body,
      });
    },
    async setResolution(threadId, resolution) {
      await writes.setResolution.run(executor, {
        threadId,
        at: resolution?.at ?? null,
        atVersion: resolution?.atVersion ?? null,
        userId: resolution?.userId ?? null,
      });
    },
    async moveThreads(workspaceId, from, to) {
      await writes.move.run(executor, { workspaceId, from, to });
    },
  };
}
