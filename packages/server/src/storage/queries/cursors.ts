import type { Cursor, CursorReader, Cursors, CursorWriter } from '../../service/ports/cursors.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** The cursor of the whole workspace (`answeredAt` is 0 without one), and those of paths as JSON. */
interface CursorRow extends Cursor {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly byPath: string | null;
}

const cursor = columns<CursorRow>()('bookmark', {
  keyId: 'key_id',
  workspaceId: 'workspace_id',
  startSeq: 'start_seq',
  startAt: 'start_at',
  headSeq: 'head_seq',
  answeredAt: 'answered_at',
  confirmedSeq: 'confirmed_seq',
  byPath: 'by_path',
});

export type CursorTable = TableOf<typeof cursor>;

export type CursorQueries = ReturnType<typeof cursorQueries>;

export function cursorQueries({ db }: QueryDialect) {
  return {
    find: compileQuery(({ keyId, workspaceId }: Placeholders<{ keyId: string; workspaceId: string }>) =>
      db
        .selectFrom('bookmark')
        .select(cursor.selection)
        .where('key_id', '=', keyId)
        .where('workspace_id', '=', workspaceId),
    ),
    put: compileQuery((row: Placeholders<StoredOf<typeof cursor>>) =>
      db
        .insertInto('bookmark')
        .values(cursor.values(row))
        .onConflict((conflict) =>
          conflict
            .columns(['key_id', 'workspace_id'])
            .doUpdateSet(cursor.replacement('keyId', 'workspaceId')),
        ),
    ),
    forget: compileQuery(({ keyId }: Placeholders<{ keyId: string }>) =>
      db.deleteFrom('bookmark').where('key_id', '=', keyId),
    ),
  };
}

export function createCursorReader(executor: Executor, queries: CursorQueries): CursorReader {
  return {
    async find(keyId, workspaceId) {
      const row = await queries.find.get(executor, { keyId, workspaceId });
      return row === undefined ? [] : toCursors(row);
    },
  };
}

export function createCursorWriter(executor: Executor, queries: CursorQueries): CursorWriter {
  return {
    async putBookmarks(keyId, workspaceId, cursors) {
      const byPath = cursors.filter(([path]) => path !== '');
      const [, whole] = cursors.find(([path]) => path === '') ?? ['', none];
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

const none: Cursor = { confirmedSeq: 0, startSeq: 0, startAt: 0, headSeq: 0, answeredAt: 0 };

function toCursors({ byPath, keyId: _, workspaceId: __, ...whole }: CursorRow): Cursors {
  const paths: Readonly<Record<string, Cursor>> = byPath === null ? {} : JSON.parse(byPath);
  return [...(whole.answeredAt === 0 ? [] : [['', whole] as const]), ...Object.entries(paths)];
}
