import type { DatabaseSync } from 'node:sqlite';
import { base, folder } from './tables/base.ts';
import { conflict } from './tables/conflict.ts';
import { hashCache } from './tables/hash-cache.ts';
import { folderMove, intent } from './tables/intent.ts';
import { createLog } from './tables/log.ts';
import { createMeta } from './tables/meta.ts';
import { remote, revoked } from './tables/remote.ts';
import { trash, trashByPath } from './tables/trash.ts';
import { hold, skipped } from './tables/waiting.ts';

/** Stored in the database as `user_version`. Raise it with any change of a table. */
export const schemaVersion = 1;

const rowTables = [
  base,
  folder,
  remote,
  revoked,
  hashCache,
  intent,
  folderMove,
  skipped,
  hold,
  conflict,
  trash,
];

export function createSchema(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  for (const create of [createMeta, createLog, ...rowTables.map((table) => table.create)]) db.exec(create);
  db.exec(`PRAGMA user_version = ${schemaVersion}`);
  db.exec('COMMIT');
}

/** Adds indexes that an older state may lack. The version stays, because older programs can work with them. */
export function addIndexes(db: DatabaseSync): void {
  db.exec(trashByPath);
}

export function readSchemaVersion(db: DatabaseSync): number {
  return db.prepare('PRAGMA user_version').get()?.user_version as number;
}
