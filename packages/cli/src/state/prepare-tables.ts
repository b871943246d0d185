import type { DatabaseSync } from 'node:sqlite';
import type { StoredState } from '../engine/ports/state-rows.ts';
import type { StateChange } from '../engine/ports/state-store.ts';
import { base, folder } from './tables/base.ts';
import { conflict } from './tables/conflict.ts';
import { hashCache } from './tables/hash-cache.ts';
import { folderMove, intent } from './tables/intent.ts';
import { prepareLog } from './tables/log.ts';
import { prepareMeta } from './tables/meta.ts';
import { remote, revoked } from './tables/remote.ts';
import { trash } from './tables/trash.ts';
import { hold, skipped } from './tables/waiting.ts';

/** All tables, for the process that works on the folder. */
export interface PreparedTables {
  load(): StoredState;
  /** Runs within a transaction of the caller. */
  apply(change: StateChange): void;
}

export function prepareTables(db: DatabaseSync): PreparedTables {
  const tables = {
    meta: prepareMeta(db),
    log: prepareLog(db),
    base: base.prepare(db),
    folder: folder.prepare(db),
    remote: remote.prepare(db),
    revoked: revoked.prepare(db),
    hash_cache: hashCache.prepare(db),
    intent: intent.prepare(db),
    folder_move: folderMove.prepare(db),
    left_out: skipped.prepare(db),
    hold: hold.prepare(db),
    conflict: conflict.prepare(db),
    trash: trash.prepare(db),
  };
  return {
    load: () => ({
      meta: tables.meta.load(),
      base: tables.base.load(),
      folders: tables.folder.load(),
      remote: tables.remote.load(),
      revoked: tables.revoked.load(),
      hashCache: tables.hash_cache.load(),
      intents: tables.intent.load(),
      folderMoves: tables.folder_move.load(),
      skipped: tables.left_out.load(),
      holds: tables.hold.load(),
      conflicts: tables.conflict.load(),
    }),
    apply(change) {
      switch (change.table) {
        case 'meta':
          tables.meta.write(change.values);
          break;
        case 'log':
          tables.log.write(change.entry);
          break;
        case 'base':
          tables.base.write(change.path, change.row);
          break;
        case 'folder':
          tables.folder.write(change.path, change.row);
          break;
        case 'remote':
          tables.remote.write(change.path, change.row);
          break;
        case 'hash_cache':
          tables.hash_cache.write(change.path, change.row);
          break;
        case 'left_out':
          tables.left_out.write(change.path, change.row);
          break;
        case 'revoked':
          tables.revoked.write(change.path, change.seq);
          break;
        case 'intent':
          tables.intent.write(change.id, change.row);
          break;
        case 'folder_move':
          tables.folder_move.write(change.id, change.row);
          break;
        case 'hold':
          tables.hold.write(change.id, change.row);
          break;
        case 'trash':
          tables.trash.write(change.id, change.row);
          break;
        case 'conflict':
          tables.conflict.write(change.copyPath, change.row);
          break;
        case 'all': {
          const { meta: _meta, log: _log, trash: _trash, ...cleared } = tables;
          for (const table of Object.values(cleared)) table.clear();
          break;
        }
      }
    },
  };
}
