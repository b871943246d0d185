import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type ContentHash, wordListOf } from '@stoa/core';
import {
  type AskedToken,
  entriesPageMax,
  type Holders,
  type IndexEntries,
  type IndexedContent,
  type IndexScope,
  type WordIndex,
} from '../../service/ports/word-index.ts';
import { idsByBit, indexedText, indexTokenOf, numbersIn, patternOf, tokensAtOnce } from './index-lists.ts';

/** A request to an index thread: a method of the port, with its arguments. */
export interface IndexQuestion {
  readonly file: string;
  readonly method: IndexMethod;
  readonly given: readonly unknown[];
}

export type IndexMethod = Exclude<keyof WordIndex, typeof Symbol.asyncDispose>;
type Methods = { readonly [Name in IndexMethod]: (...given: never[]) => unknown };

/** Increases when the tables or the tokens change: an older file is rebuilt. */
const format = 4;
const busyTimeoutMs = 15_000;
/** Three characters before each token separate the parts in the index. */
const digits = { first: 0xf0000, count: 4096, width: 3 } as const;

/**
 * The index as a database of its own next to the service's: its writes do not block other writes, and it can be deleted.
 * All calls are slow and belong in a worker.
 */
export function openWordIndexFile(file: string): Methods & Disposable {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    return wordIndexIn(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function wordIndexIn(db: DatabaseSync): Methods & Disposable {
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -16384');
  inTransaction(db, 'begin immediate', () => {
    if (db.prepare('pragma user_version').get()?.user_version === format) return;
    dropTables(db);
    db.exec(`
      create table space (
        number integer primary key autoincrement, workspace_id text not null unique, generation text not null
      ) strict;
      create table part (
        number integer primary key autoincrement, space integer not null, name text not null, unique (space, name)
      ) strict;
      create table entry (
        id integer primary key autoincrement, space integer not null, part integer not null, content_hash text not null,
        is_text integer not null, unique (part, content_hash)
      ) strict;
      create index entry_of_space on entry (space, id);
      create table word_list (id integer primary key, words text not null) strict;
      create virtual table token using fts5(
        words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
      );
      pragma user_version = ${format}`);
  });
  const statements = prepare(db);
  function spaceOf(workspaceId: string): { readonly number: number; readonly generation: string } | null {
    const row = statements.space.get(workspaceId);
    return row === undefined ? null : { number: Number(row.number), generation: String(row.generation) };
  }

  function partNumber(space: number, name: string): number {
    statements.addPart.run(space, name);
    return Number(statements.part.get(space, name)?.number);
  }

  function removeEntries(ids: readonly number[]): void {
    for (const id of ids) {
      if (statements.removeEntry.run(id).changes === 0n) continue;
      statements.removeTokens.run(id);
      statements.removeList.run(id);
    }
  }

  return {
    entries(workspaceId: string, after: number): IndexEntries {
      return inTransaction(db, 'begin', () => {
        const space = spaceOf(workspaceId);
        if (space === null) return { generation: 'none', entries: [] };
        const rows = statements.entries.all(space.number, after, entriesPageMax);
        return {
          generation: space.generation,
          entries: rows.map(({ id, part, hash, isText }) => ({
            id: Number(id),
            part: String(part),
            contentHash: String(hash) as ContentHash,
            isText: isText === 1,
          })),
        };
      });
    },

    holders(workspaceId: string, scope: IndexScope, tokens: readonly AskedToken[]): Holders {
      return inTransaction(db, 'begin', () => {
        const space = spaceOf(workspaceId);
        if (space === null) return { generation: 'none', last: 0, ids: tokens.map(() => null) };
        return {
          generation: space.generation,
          last: Number(statements.last.get(space.number)?.id ?? 0),
          ids:
            'ids' in scope
              ? scan(scope.ids, tokens)
              : ask(
                  scope.parts.map((name) => statements.part.get(space.number, name)?.number).filter(isNumber),
                  tokens,
                ),
        };
      });
    },

    add(workspaceId: string, contents: readonly IndexedContent[]): void {
      // Made before the transaction, which then is short.
      const texts = contents.map((content) => ({ ...content, indexed: indexedText(content.bytes) }));
      inTransaction(db, 'begin immediate', () => {
        statements.addSpace.run(workspaceId, randomUUID());
        const space = spaceOf(workspaceId);
        if (space === null) return;
        for (const { part: name, contentHash, indexed } of texts) {
          const part = partNumber(space.number, name);
          const added = statements.addEntry.run(space.number, part, contentHash, indexed === null ? 0 : 1);
          if (added.changes === 0n || indexed === null) continue;
          const label = labelOf(part);
          statements.addTokens.run(
            added.lastInsertRowid,
            indexed.tokens.map((token) => label + token).join(' '),
          );
          statements.addList.run(
            added.lastInsertRowid,
            wordListOf([...indexed.tokens, ...indexed.longWords]),
          );
        }
      });
    },

    remove(workspaceId: string, ids: readonly number[]): void {
      inTransaction(db, 'begin immediate', () => {
        const space = spaceOf(workspaceId);
        if (space === null) return;
        removeEntries(ids);
        statements.removed.run(randomUUID(), space.number);
      });
    },

    clear(workspaceId: string | null): void {
      inTransaction(db, 'begin immediate', () => {
        if (workspaceId === null) {
          db.exec(
            `insert into token (token) values ('delete-all');
            delete from word_list; delete from entry; delete from part; delete from space`,
          );
          return;
        }
        const space = spaceOf(workspaceId);
        if (space === null) return;
        removeEntries(statements.idsOf.all(space.number).map(({ id }) => Number(id)));
        statements.removeParts.run(space.number);
        statements.removeSpace.run(space.number);
      });
    },

    sizeBytes(): number {
      const row = db
        .prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size')
        .get();
      return Number(row?.bytes ?? 0);
    },

    [Symbol.dispose]: () => db.close(),
  };

  /** Reads postings of these parts only. */
  function ask(parts: readonly number[], tokens: readonly AskedToken[]): Holders['ids'] {
    return tokens.map((asked) => {
      const token = indexTokenOf(asked);
      if (token === null) return null;
      if (parts.length === 0) return new Float64Array();
      const words = parts.map((part) => `"${labelOf(part)}${token.text}"${token.isPrefix ? '*' : ''}`);
      return numbersIn(statements.having.get(words.join(' OR '))?.ids);
    });
  }

  /** Reads each list once for some tokens. */
  function scan(ids: readonly number[], tokens: readonly AskedToken[]): Holders['ids'] {
    const found: Float64Array[] = [];
    for (let from = 0; from < tokens.length; from += tokensAtOnce) {
      const patterns = tokens.slice(from, from + tokensAtOnce).map(patternOf);
      const bits = patterns.map((_, at) => `((instr(words, ?) > 0) << ${at})`).join(' | ');
      // A cross join: SQLite keeps the order, and reads no other lists.
      const rows = db
        .prepare(
          `select word_list.id as id, ${bits} as bits
            from json_each(?) as wanted cross join word_list on word_list.id = wanted.value`,
        )
        .all(...patterns, JSON.stringify(ids))
        .map(({ id, bits: of }) => ({ id: Number(id), bits: Number(of) }));
      found.push(...idsByBit(patterns.length, rows));
    }
    return found;
  }
}

function prepare(db: DatabaseSync) {
  /** The index of words has row ids beyond 2^53, and each change returns the last one. */
  const change = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    space: db.prepare('select number, generation from space where workspace_id = ?'),
    addSpace: change(
      'insert into space (workspace_id, generation) values (?, ?) on conflict (workspace_id) do nothing',
    ),
    removed: change('update space set generation = ? where number = ?'),
    part: db.prepare('select number from part where space = ? and name = ?'),
    addPart: change('insert into part (space, name) values (?, ?) on conflict (space, name) do nothing'),
    entries: db.prepare(
      `select entry.id as id, part.name as part, content_hash as hash, is_text as isText
        from entry cross join part on part.number = entry.part where entry.space = ? and id > ? order by id limit ?`,
    ),
    last: db.prepare('select max(id) as id from entry where space = ?'),
    idsOf: db.prepare('select id from entry where space = ?'),
    having: db.prepare('select group_concat(rowid) as ids from token where token match ?'),
    addEntry: change(
      'insert into entry (space, part, content_hash, is_text) values (?, ?, ?, ?) on conflict (part, content_hash) do nothing',
    ),
    addTokens: change('insert into token (rowid, words) values (?, ?)'),
    addList: change('insert into word_list (id, words) values (?, ?)'),
    removeEntry: change('delete from entry where id = ?'),
    removeTokens: change('delete from token where rowid = ?'),
    removeList: change('delete from word_list where id = ?'),
    removeParts: change('delete from part where space = ?'),
    removeSpace: change('delete from space where number = ?'),
  };
}

/** Also those of earlier formats. */
function dropTables(db: DatabaseSync): void {
  const tables = ['token', 'word_list', 'entry', 'part', 'space', 'piece', 'part_text', 'content'];
  for (const table of tables) db.exec(`drop table if exists ${table}`);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** A prefix that every token of a part has, and no other token. */
function labelOf(part: number): string {
  let label = '';
  for (let at = digits.width - 1; at >= 0; at -= 1) {
    label += String.fromCodePoint(digits.first + (Math.floor(part / digits.count ** at) % digits.count));
  }
  return label;
}

function inTransaction<Result>(
  db: DatabaseSync,
  begin: 'begin' | 'begin immediate',
  run: () => Result,
): Result {
  db.exec(begin);
  try {
    const result = run();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
