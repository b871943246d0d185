import type { ContentHash } from '@stoa/core';
import type { WorkspaceImageReader, WorkspaceImageWriter } from '../../service/ports/workspace-images.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { WorkspaceImageTable } from './tables.ts';

type ImageKey = { workspaceId: string; contentHash: ContentHash };

export type WorkspaceImageQueries = ReturnType<typeof workspaceImageQueries>;

export function workspaceImageQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ workspaceId, contentHash }: Placeholders<ImageKey>) =>
      db
        .selectFrom('workspace_image')
        .select(['content_hash', 'image_type', 'bytes'])
        .where('workspace_id', '=', workspaceId)
        .where('content_hash', '=', contentHash),
    ),
    put: compileQuery((row: Placeholders<WorkspaceImageTable>) =>
      db
        .insertInto('workspace_image')
        .values({
          workspace_id: row.workspace_id,
          content_hash: row.content_hash,
          image_type: row.image_type,
          bytes: row.bytes,
        })
        .onConflict((conflict) =>
          conflict.column('workspace_id').doUpdateSet((of) => ({
            content_hash: of.ref('excluded.content_hash'),
            image_type: of.ref('excluded.image_type'),
            bytes: of.ref('excluded.bytes'),
          })),
        ),
    ),
    remove: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db.deleteFrom('workspace_image').where('workspace_id', '=', workspaceId),
    ),
  };
}

export function createWorkspaceImageReader(
  executor: Executor,
  queries: WorkspaceImageQueries,
): WorkspaceImageReader {
  return {
    async find(workspaceId, contentHash) {
      const record = await queries.find.get(executor, { workspaceId, contentHash });
      if (record === undefined) return null;
      return { contentHash: record.content_hash, imageType: record.image_type, bytes: record.bytes };
    },
  };
}

export function createWorkspaceImageWriter(
  executor: Executor,
  queries: WorkspaceImageQueries,
): WorkspaceImageWriter {
  return {
    async putWorkspaceImage(workspaceId, { contentHash, imageType, bytes }) {
      const row = { workspace_id: workspaceId, content_hash: contentHash, image_type: imageType, bytes };
      await queries.put.run(executor, row);
    },
    async removeWorkspaceImage(workspaceId) {
      await queries.remove.run(executor, { workspaceId });
    },
  };
}
