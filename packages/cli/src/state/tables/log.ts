import type { DatabaseSync } from 'node:sqlite';
import { logRowsMax } from '@stoa/core';
import type { LogEntry, LogRow } from '../../engine/ports/state-rows.ts';

export const createLog = `CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, op TEXT NOT NULL,
  path TEXT NOT NULL, version INTEGER, bytes INTEGER, ms INTEGER, outcome TEXT NOT NULL) STRICT`;

/** Number of rows removed at a time, to avoid a delete for each entry. */
const dropEvery = 500;

/** Log of operations. Keeps the newest `logRowsMax` and a few more. */
export function prepareLog(db: DatabaseSync) {
  const insert = db.prepare(
    'INSERT INTO log (at, op, path, version, bytes, ms, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM log WHERE id <= ?');
  return {
    write({ at, op, path, version, bytes, ms, outcome }: LogEntry): void {
      const id = Number(
        insert.run(at, op, path, version, bytes, ms === null ? null : Math.round(ms), outcome)
          .lastInsertRowid,
      );
      if (id > logRowsMax && id % dropEvery === 0) drop.run(id - logRowsMax);
    },
  };
}

export function prepareLogReading(db: DatabaseSync) {
  const select = db.prepare(
    `SELECT id, at, op, path, version, bytes, ms, outcome FROM log
      WHERE id > ? AND (? IS NULL OR path = ? OR substr(path, 1, length(?) + 1) = ? || '/')
      ORDER BY id DESC LIMIT ?`,
  );
  return (query: { readonly afterId: number; readonly path: string | null; readonly limit: number }) => {
    const { afterId, path, limit } = query;
    const rows = select.all(afterId, path, path, path, path, limit);
    return rows.reverse().map((row) => ({ ...row }) as unknown as LogRow);
  };
}
