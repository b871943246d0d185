import type { WorkspacePath } from '@stoa/core';
import { sql } from 'kysely';
import type { Writer } from '../../service/ports/transaction.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { BlobTable, ChangeTable, FileTable, FileVersionTable } from './tables.ts';

export type FileWrites = ReturnType<typeof fileWrites>;

export function fileWrites({ db, paths }: QueryDialect) {
  return {
    put: compileQuery((row: Placeholders<FileTable>) =>
      db
        .insertInto('file')
        .values({
          workspace_id: row.workspace_id,
          path: row.path,
          incarnation: row.incarnation,
          version: row.version,
          size_bytes: row.size_bytes,
          content_type: row.content_type,
          content_hash: row.content_hash,
        })
        .onConflict((conflict) =>
          conflict.expression(paths.unique).doUpdateSet((of) => ({
            incarnation: of.ref('excluded.incarnation'),
            version: of.ref('excluded.version'),
            size_bytes: of.ref('excluded.size_bytes'),
            content_type: of.ref('excluded.content_type'),
            content_hash: of.ref('excluded.content_hash'),
          })),
        ),
    ),
    remove: compileQuery(
      ({ workspaceId, path }: Placeholders<{ workspaceId: string; path: WorkspacePath }>) =>
        db
          .deleteFrom('file')
          .where('workspace_id', '=', workspaceId)
          .where(paths.same(sql.ref('path'), path)),
    ),
    insertVersion: compileQuery((row: Placeholders<FileVersionTable>) =>
      db.insertInto('file_version').values({
        workspace_id: row.workspace_id,
        incarnation: row.incarnation,
        version: row.version,
        path: row.path,
        size_bytes: row.size_bytes,
        content_type: row.content_type,
        content_hash: row.content_hash,
        op: row.op,
        principal: row.principal,
        actor_id: row.actor_id,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        moved_from_path: row.moved_from_path,
        moved_from_incarnation: row.moved_from_incarnation,
        conflict_of: row.conflict_of,
      }),
    ),
    keepBlob: compileQuery((row: Placeholders<BlobTable>) =>
      db
        .insertInto('blob')
        .values({
          workspace_id: row.workspace_id,
          content_hash: row.content_hash,
          size_bytes: row.size_bytes,
          bytes: row.bytes,
          generation: row.generation,
          created_at: row.created_at,
        })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'content_hash']).doNothing()),
    ),
    insertChange: compileQuery((row: Placeholders<ChangeTable>) =>
      db.insertInto('change').values({
        workspace_id: row.workspace_id,
        seq: row.seq,
        path: row.path,
        op: row.op,
        version: row.version,
        content_hash: row.content_hash,
        principal: row.principal,
        actor_id: row.actor_id,
        actor_key_id: row.actor_key_id,
        actor_label: row.actor_label,
        created_at: row.created_at,
        moved_from: row.moved_from,
        conflict_of: row.conflict_of,
        only_user_id: row.only_user_id,
        except_user_id: row.except_user_id,
      }),
    ),
  };
}

export function createFileWriter(
  executor: Executor,
  writes: FileWrites,
): Pick<Writer, 'insertChange' | 'putFile' | 'removeFile' | 'insertVersion' | 'keepBlob'> {
  return {
    async putFile(row) {
      await writes.put.run(executor, {
        workspace_id: row.workspaceId,
        path: row.path,
        incarnation: row.incarnation,
        version: row.version,
        size_bytes: row.sizeBytes,
        content_type: row.contentType,
        content_hash: row.contentHash,
      });
    },
    async removeFile(workspaceId, path) {
      await writes.remove.run(executor, { workspaceId, path });
    },
    async insertVersion(row) {
      await writes.insertVersion.run(executor, {
        workspace_id: row.workspaceId,
        incarnation: row.incarnation,
        version: row.version,
        path: row.path,
        size_bytes: row.sizeBytes,
        content_type: row.contentType,
        content_hash: row.contentHash,
        op: row.op,
        principal: row.principal,
        actor_id: row.actorId,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        moved_from_path: row.movedFrom?.path ?? null,
        moved_from_incarnation: row.movedFrom?.incarnation ?? null,
        conflict_of: row.conflictOf,
      });
    },
    async keepBlob({ workspaceId, contentHash, sizeBytes, location, createdAt }) {
      const inserted = await writes.keepBlob.run(executor, {
        workspace_id: workspaceId,
        content_hash: contentHash,
        size_bytes: sizeBytes,
        bytes: location.kind === 'inline' ? location.bytes : null,
        generation: location.kind === 'stored' ? location.generation : null,
        created_at: createdAt,
      });
      return inserted === 1 ? 'kept' : 'already_there';
    },
    async insertChange(row) {
      await writes.insertChange.run(executor, {
        workspace_id: row.workspaceId,
        seq: row.seq,
        path: row.path,
        op: row.op,
        version: row.version,
        content_hash: row.contentHash,
        principal: row.principal,
        actor_id: row.actorId,
        actor_key_id: row.actorKeyId,
        actor_label: row.actorLabel,
        created_at: row.createdAt,
        moved_from: row.movedFrom,
        conflict_of: row.conflictOf,
        only_user_id: row.onlyUserId,
        except_user_id: row.exceptUserId,
      });
    },
  };
}
