import type { Bookmark, BookmarkReader, Bookmarks, BookmarkWriter } from '../../service/ports/bookmarks.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** The cursor of the whole workspace (`answeredAt` is 0 without one), and those of paths as JSON. */
interface BookmarkRow extends Bookmark {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly byPath: string | null;
}

const bookmark = columns<BookmarkRow>()('bookmark', {
  keyId: 'key_id',
  workspaceId: 'workspace_id',
  startSeq: 'start_seq',
  startAt: 'start_at',
  headSeq: 'head_seq',
  answeredAt: 'answered_at',
  confirmedSeq: 'confirmed_seq',
  byPath: 'by_path',
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
      const row = await queries.find.get(executor, { keyId, workspaceId });
      return row === undefined ? [] : toBookmarks(row);
    },
  };
}

export function createBookmarkWriter(executor: Executor, queries: BookmarkQueries): BookmarkWriter {
  return {
    async putBookmarks(keyId, workspaceId, bookmarks) {
      const byPath = bookmarks.filter(([path]) => path !== '');
      const [, whole] = bookmarks.find(([path]) => path === '') ?? ['', none];
      await queries.put.run(executor, {
        ...{ keyId, workspaceId, ...whole },
        byPath: byPath.length === 0 ? null : JSON.stringify(Object.fromEntries(byPath)),
      });
    },
    async forgetBookmarks(keyId) {
      await queries.forget.run(executor, { keyId });
    },
  };
}

const none: Bookmark = { confirmedSeq: 0, startSeq: 0, startAt: 0, headSeq: 0, answeredAt: 0 };

function toBookmarks({ byPath, keyId: _, workspaceId: __, ...whole }: BookmarkRow): Bookmarks {
  const paths: Readonly<Record<string, Bookmark>> = byPath === null ? {} : JSON.parse(byPath);
  return [...(whole.answeredAt === 0 ? [] : [['', whole] as const]), ...Object.entries(paths)];
}
