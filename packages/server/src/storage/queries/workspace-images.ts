import type { ContentHash } from '@stoa/core';
import type {
  WorkspaceImageReader,
  WorkspaceImageRow,
  WorkspaceImageWriter,
} from '../../service/ports/workspace-images.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const image = columns<WorkspaceImageRow>()('workspace_image', {
  contentHash: 'content_hash',
  imageType: 'image_type',
  bytes: 'bytes',
});

export type WorkspaceImageTable = TableOf<typeof image> & { workspace_id: string };

type ImageKey = { workspaceId: string; contentHash: ContentHash };

export type WorkspaceImageQueries = ReturnType<typeof workspaceImageQueries>;

export function workspaceImageQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ workspaceId, contentHash }: Placeholders<ImageKey>) =>
      db
        .selectFrom('workspace_image')
        .select(image.selection)
        .where('workspace_id', '=', workspaceId)
        .where('content_hash', '=', contentHash),
    ),
    put: compileQuery((row: Placeholders<StoredOf<typeof image> & { workspaceId: string }>) =>
      db
        .insertInto('workspace_image')
        .values({ ...image.values(row), workspace_id: row.workspaceId })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(image.replacement())),
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
      return record === undefined ? null : image.toRow(record);
    },
  };
}

export function createWorkspaceImageWriter(
  executor: Executor,
  queries: WorkspaceImageQueries,
): WorkspaceImageWriter {
  return {
    async putWorkspaceImage(workspaceId, row) {
      await queries.put.run(executor, { ...row, workspaceId });
    },
    async removeWorkspaceImage(workspaceId) {
      await queries.remove.run(executor, { workspaceId });
    },
  };
}
