import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type ContentHash, indexedText } from '@stoa/core';
import {
  beforeEverything,
  type Candidates,
  type ContentIndex,
  type IndexedContent,
  type IndexLocation,
  type IndexPage,
  type NotText,
  type WantedText,
} from '../../service/ports/content-index.ts';
import { partCharacters, partsOfText } from './parts-of-text.ts';

/** A request to an index thread: a method of the port, with its arguments. */
export interface IndexQuestion {
  readonly file: string;
  readonly method: IndexMethod;
  readonly given: readonly unknown[];
}

export type IndexMethod = Exclude<keyof ContentIndex, 'isAvailable' | typeof Symbol.asyncDispose>;
type Methods = { readonly [Name in IndexMethod]: (...given: never[]) => unknown };

/** Increases when the tables or the result of `foldCase` change: an older file is rebuilt. */
const format = 3;
/** Maximum number of candidate parts, several of which may belong to the same text. */
const candidatesMax = 20_000;
/** Up to this many, some 16 MB, are verified here: the rest contain the text itself, not only its n-grams. */
const verifiedMax = 2_000;
const pageRows = 1000;
const busyTimeoutMs = 15_000;
/** Three of these before each text separate the workspaces in the index. */
const digits = { first: 0xf0000, count: 4096 } as const;

/**
 * The index as a database of its own next to the service's: its writes do not block other writes, and it can be
 * deleted. N-grams of three characters are stored without positions. All calls are slow and belong in a worker.
 */
export function openContentIndexFile(file: string): Methods & Disposable {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    return contentIndexIn(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function contentIndexIn(db: DatabaseSync): Methods & Disposable {
  // After a power cut, lost entries and the lost position match, because the log is written in order.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -16384');
  inTransaction(db, () => {
    if (db.prepare('pragma user_version').get()?.user_version === format) return;
    db.exec(`
      drop table if exists piece; drop table if exists part_text; drop table if exists part; drop table if exists content; drop table if exists space;
      create table space (
        number integer primary key autoincrement, workspace_id text not null unique, seq integer not null, mark text not null
      ) strict;
      create table content (
        id integer primary key autoincrement, space integer not null, content_hash text not null, is_text integer not null,
        unique (space, content_hash)
      ) strict;
      create index content_not_text on content (space, id) where is_text = 0;
      create table part (id integer primary key, content integer not null) strict;
      create table part_text (id integer primary key, text text not null) strict;
      create index part_of_content on part (content);
      create virtual table piece using fts5(
        text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
      );
      pragma user_version = ${format}`);
  });
  const statements = prepare(db);

  function spaceOf(
    workspaceId: string,
  ): { readonly number: number; readonly location: IndexLocation } | null {
    const row = statements.space.get(workspaceId);
    if (row === undefined) return null;
    return { number: Number(row.number), location: { seq: Number(row.seq), mark: String(row.mark) } };
  }

  /** Runs a change if the index is still at the expected position. */
  function at(workspaceId: string, from: IndexLocation, change: (space: number) => void): boolean {
    return inTransaction(db, () => {
      if (from.seq === 0) statements.begin.run(workspaceId);
      const space = spaceOf(workspaceId);
      if (space === null || space.location.seq !== from.seq || space.location.mark !== from.mark)
        return false;
      change(space.number);
      return true;
    });
  }

  return {
    place: (workspaceId: string) => spaceOf(workspaceId)?.location ?? beforeEverything,

    candidates(workspaceId: string, { text, ngrams: chunks }: WantedText): Candidates {
      db.exec('begin');
      try {
        const space = spaceOf(workspaceId);
        if (space === null) return { location: beforeEverything, mayHold: null };
        const words = [wordOf(space.number), ...chunks].map((word) => `"${word.replaceAll('"', '""')}"`);
        const most = mostParts();
        const parts = statements.parts.all(words.join(' AND '), most + 1).map(({ id }) => Number(id));
        if (parts.length > most) return { location: space.location, mayHold: null };
        const found =
          parts.length > verifiedMax
            ? parts
            : statements.verified.all(JSON.stringify(parts), indexedText(text)).map(({ id }) => Number(id));
        const rows = statements.contents.all(JSON.stringify(found), space.number);
        const mayHold = new Set(rows.map(({ hash }) => String(hash) as ContentHash));
        return { location: space.location, mayHold };
      } finally {
        db.exec('commit');
      }
    },

    notText(workspaceId: string, after: number): NotText {
      const rows = statements.notText.all(spaceOf(workspaceId)?.number ?? 0, after, pageRows);
      return {
        hashes: rows.map(({ hash }) => String(hash) as ContentHash),
        last: Number(rows.at(-1)?.id ?? after),
      };
    },

    missing(workspaceId: string, hashes: readonly ContentHash[]): readonly ContentHash[] {
      const number = spaceOf(workspaceId)?.number ?? 0;
      return hashes.filter((hash) => statements.find.get(number, hash) === undefined);
    },

    advance(step: Parameters<ContentIndex['advance']>[0]): boolean {
      const { workspaceId, from, to, contents } = step;
      return at(workspaceId, from, (space) => {
        for (const content of contents) add(space, content);
        statements.move.run(to.seq, to.mark, space);
      });
    },

    page(workspaceId: string, afterId: number): IndexPage {
      const number = spaceOf(workspaceId)?.number ?? 0;
      const rows = statements.page.all(number, afterId, pageRows);
      return {
        count: Number(statements.count.get(number)?.count ?? 0),
        contents: rows.map(({ id, hash }) => ({ id: Number(id), contentHash: String(hash) as ContentHash })),
      };
    },

    remove(workspaceId: string, location: IndexLocation, ids: readonly number[]): boolean {
      return at(workspaceId, location, (space) => {
        for (const id of ids) {
          if (statements.removeContent.run(id, space).changes === 0n) continue;
          statements.removePieces.run(id);
          statements.removeTexts.run(id);
          statements.removeParts.run(id);
        }
      });
    },

    clear(workspaceId: string | null): void {
      inTransaction(db, () => {
        if (workspaceId === null) {
          db.exec(
            `insert into piece (piece) values ('delete-all'); delete from part_text; delete from part; delete from content; delete from space`,
          );
          return;
        }
        for (const { number } of statements.spaces.all(workspaceId)) {
          statements.clearPieces.run(number as SQLInputValue);
          statements.clearTexts.run(number as SQLInputValue);
          statements.clearParts.run(number as SQLInputValue);
          statements.clearContents.run(number as SQLInputValue);
          statements.clearSpace.run(number as SQLInputValue);
        }
      });
    },

    [Symbol.dispose]: () => db.close(),
  };

  /** When a quarter of all parts may contain a text, reading the files in order fills a page just as fast. */
  function mostParts(): number {
    const parts = Number(statements.lastPart.get()?.id ?? 0);
    return Math.max(verifiedMax, Math.min(candidatesMax, Math.floor(parts / 4)));
  }

  function add(space: number, { contentHash, bytes }: IndexedContent): void {
    if (statements.find.get(space, contentHash) !== undefined) return;
    const parts = partsOfText(bytes, partCharacters.sqlite);
    const { lastInsertRowid } = statements.addContent.run(space, contentHash, parts === null ? 0 : 1);
    for (const part of parts ?? []) {
      const id = statements.addPart.run(lastInsertRowid).lastInsertRowid;
      statements.addText.run(id, part);
      statements.addPieces.run(id, wordOf(space) + part);
    }
  }
}

const partsOfSpace = 'content in (select id from content where space = ?)';

function prepare(db: DatabaseSync) {
  /** The n-gram tables have row ids beyond 2^53, and each change returns the last one. */
  const change = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  return {
    space: db.prepare('select number, seq, mark from space where workspace_id = ?'),
    spaces: db.prepare('select number from space where workspace_id = ?'),
    begin: change(
      `insert into space (workspace_id, seq, mark) values (?, 0, '') on conflict (workspace_id) do nothing`,
    ),
    move: change('update space set seq = ?, mark = ? where number = ?'),
    parts: db.prepare('select rowid as id from piece where piece match ? limit ?'),
    lastPart: db.prepare('select max(id) as id from part'),
    // Cross joins: SQLite keeps their order, and reads no other parts.
    verified: db.prepare(
      `select part_text.id as id from json_each(?) as found cross join part_text on part_text.id = found.value
        where instr(part_text.text, ?) > 0`,
    ),
    contents: db.prepare(
      `select distinct content.content_hash as hash
        from json_each(?) as found cross join part on part.id = found.value cross join content on content.id = part.content
        where content.space = ?`,
    ),
    notText: db.prepare(
      'select id, content_hash as hash from content where space = ? and is_text = 0 and id > ? order by id limit ?',
    ),
    find: db.prepare('select id from content where space = ? and content_hash = ?'),
    addContent: change('insert into content (space, content_hash, is_text) values (?, ?, ?)'),
    addPart: change('insert into part (content) values (?)'),
    addText: change('insert into part_text (id, text) values (?, ?)'),
    addPieces: change('insert into piece (rowid, text) values (?, ?)'),
    count: db.prepare('select count(*) as count from content where space = ?'),
    page: db.prepare(
      'select id, content_hash as hash from content where space = ? and id > ? order by id limit ?',
    ),
    removeContent: change('delete from content where id = ? and space = ?'),
    removePieces: change('delete from piece where rowid in (select id from part where content = ?)'),
    removeTexts: change('delete from part_text where id in (select id from part where content = ?)'),
    removeParts: change('delete from part where content = ?'),
    clearPieces: change(`delete from piece where rowid in (select id from part where ${partsOfSpace})`),
    clearTexts: change(`delete from part_text where id in (select id from part where ${partsOfSpace})`),
    clearParts: change(`delete from part where ${partsOfSpace}`),
    clearContents: change('delete from content where space = ?'),
    clearSpace: change('delete from space where number = ?'),
  };
}

/** A prefix that every text of a workspace has, and no other text. */
function wordOf(space: number): string {
  const digit = (at: number) =>
    String.fromCodePoint(digits.first + (Math.floor(space / digits.count ** at) % digits.count));
  return [2, 1, 0].map(digit).join('');
}

function inTransaction<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec('begin immediate');
  try {
    const result = run();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
