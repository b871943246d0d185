import type { DatabaseSync } from 'node:sqlite';
import { emptyMeta, type SyncMeta } from '../../engine/ports/state-rows.ts';

export const createMeta =
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID';

/** Stores each field of the meta row as JSON. */
export function prepareMeta(db: DatabaseSync) {
  const select = db.prepare('SELECT key, value FROM meta');
  const put = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  return {
    load(): SyncMeta {
      const stored = select
        .all()
        .map(({ key, value }) => [key as string, JSON.parse(value as string) as unknown]);
      return { ...emptyMeta, ...(Object.fromEntries(stored) as Partial<SyncMeta>) };
    },
    write(values: Partial<SyncMeta>): void {
      for (const [key, value] of Object.entries(values)) put.run(key, JSON.stringify(value));
    },
  };
}
