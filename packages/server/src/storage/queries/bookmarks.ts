import type { BookmarkReader, BookmarkRow, BookmarkWriter } from '../../service/ports/bookmarks.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const bookmark = columns<BookmarkRow>()('bookmark', {
  keyId: 'key_id',
  workspaceId: 'workspace_id',
  startSeq: 'start_seq',
  startAt: 'start_at',
  headSeq: 'head_seq',
  answeredAt: 'answered_at',
});

export type BookmarkTable = TableOf<typeof bookmark>;

export type BookmarkQueries = ReturnType<typeof bookmarkQueries>;

export function bookmarkQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ keyId, workspaceId }: Placeholders<{ keyId: string; workspaceId: string }>) =>
      db
        .selectFrom('bookmark')
        .select(bookmark.selection)
        .where('key_id', '=', keyId)
        .where('workspace_id', '=', workspaceId),
    ),
    put: compileQuery((row: Placeholders<StoredOf<typeof bookmark>>) =>
      db
        .insertInto('bookmark')
        .values(bookmark.values(row))
        .onConflict((conflict) =>
          conflict
            .columns(['key_id', 'workspace_id'])
            .doUpdateSet(bookmark.replacement('keyId', 'workspaceId')),
        ),
    ),
    forget: compileQuery(({ keyId }: Placeholders<{ keyId: string }>) =>
      db.deleteFrom('bookmark').where('key_id', '=', keyId),
    ),
  };
}

export function createBookmarkReader(executor: Executor, queries: BookmarkQueries): BookmarkReader {
  return {
    async find(keyId, workspaceId) {
      return (await queries.find.get(executor, { keyId, workspaceId })) ?? null;
    },
  };
}

export function createBookmarkWriter(executor: Executor, queries: BookmarkQueries): BookmarkWriter {
  return {
    async putBookmark(row) {
      await queries.put.run(executor, row);
    },
    async forgetBookmarks(keyId) {
      await queries.forget.run(executor, { keyId });
    },
  };
}
