import type { ContentHash } from '@stoa/core';
import { sql } from 'kysely';
import type { FrontMatter, FrontMatterReader, FrontMatterWriter } from '../../service/ports/front-matter.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

export interface ContentKey {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
}

const frontMatter = columns<ContentKey & FrontMatter>()('front_matter', {
  workspaceId: 'workspace_id',
  contentHash: 'content_hash',
  date: 'date',
  title: 'title',
  view: 'view',
});

const unread = columns<ContentKey>()('front_matter_unread', {
  workspaceId: 'workspace_id',
  contentHash: 'content_hash',
});

export type FrontMatterTable = TableOf<typeof frontMatter>;
export type UnreadFrontMatterTable = TableOf<typeof unread>;

export type FrontMatterQueries = ReturnType<typeof frontMatterQueries>;

export function frontMatterQueries({ db }: QueryDialect) {
  return {
    unread: compileQuery(
      ({
        workspaceId,
        contentHash,
        limit,
      }: Placeholders<{ workspaceId: string; contentHash: string; limit: number }>) =>
        db
          .selectFrom('front_matter_unread')
          .innerJoin('blob', (join) =>
            join
              .onRef('blob.workspace_id', '=', 'front_matter_unread.workspace_id')
              .onRef('blob.content_hash', '=', 'front_matter_unread.content_hash'),
          )
          .select(unread.selection)
          .select('blob.size_bytes as sizeBytes')
          .where(
            sql<boolean>`(front_matter_unread.workspace_id, front_matter_unread.content_hash)
              > (${workspaceId}, ${contentHash})`,
          )
          .orderBy('front_matter_unread.workspace_id')
          .orderBy('front_matter_unread.content_hash')
          .limit(limit),
    ),
  };
}

export function createFrontMatterReader(executor: Executor, queries: FrontMatterQueries): FrontMatterReader {
  return {
    async unread(after, limit) {
      const { workspaceId = '', contentHash = '' } = after ?? {};
      const records = await queries.unread.all(executor, { workspaceId, contentHash, limit });
      return records.map((record) => ({ ...record }));
    },
  };
}

export type FrontMatterWrites = ReturnType<typeof frontMatterWrites>;

export function frontMatterWrites({ db }: QueryDialect) {
  return {
    keep: compileQuery((row: Placeholders<StoredOf<typeof frontMatter>>) =>
      db
        .insertInto('front_matter')
        .values(frontMatter.values(row))
        .onConflict((conflict) => conflict.columns(['workspace_id', 'content_hash']).doNothing()),
    ),
    leaveUnread: compileQuery((row: Placeholders<StoredOf<typeof unread>>) =>
      db
        .insertInto('front_matter_unread')
        .values(unread.values(row))
        .onConflict((conflict) => conflict.columns(['workspace_id', 'content_hash']).doNothing()),
    ),
    noteRead: compileQuery(({ workspaceId, contentHash }: Placeholders<ContentKey>) =>
      db
        .deleteFrom('front_matter_unread')
        .where('workspace_id', '=', workspaceId)
        .where('content_hash', '=', contentHash),
    ),
  };
}

export function createFrontMatterWriter(executor: Executor, writes: FrontMatterWrites): FrontMatterWriter {
  return {
    async keepFrontMatter(workspaceId, contentHash, found) {
      await writes.keep.run(executor, { workspaceId, contentHash, ...found });
    },
    async leaveUnread(workspaceId, contentHash) {
      await writes.leaveUnread.run(executor, { workspaceId, contentHash });
    },
    async noteRead(workspaceId, contentHash) {
      await writes.noteRead.run(executor, { workspaceId, contentHash });
    },
  };
}
