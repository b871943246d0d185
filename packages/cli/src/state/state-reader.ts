import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SkipReason, WorkspacePath } from '@stoa/core';
import type { StateCounts, StateReader } from '../engine/ports/state-store.ts';
import { stateFileName } from './database-files.ts';
import { damaged, onDisk } from './disk-troubles.ts';
import { isDamage, StateTooNewError } from './open-database.ts';
import { readSchemaVersion, schemaVersion } from './schema.ts';
import { base } from './tables/base.ts';
import { conflict } from './tables/conflict.ts';
import { prepareLogReading } from './tables/log.ts';
import { prepareMeta } from './tables/meta.ts';
import { trash } from './tables/trash.ts';
import { hold, skipped } from './tables/waiting.ts';

/**
 * Opens the state for reading, also while another process works on the folder. Null if there is no state yet. @throws
 * StateTooNewError, StateDiskError, StateDamagedError
 */
export function openStateReader(hiddenFolder: string): (StateReader & Disposable) | null {
  return onDisk(hiddenFolder, () => openReader(hiddenFolder));
}

function openReader(hiddenFolder: string): (StateReader & Disposable) | null {
  const file = join(hiddenFolder, stateFileName);
  if (!existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const version = readSchemaVersion(db);
    if (version === schemaVersion)
      return { ...createStateReader(db, hiddenFolder), [Symbol.dispose]: () => db.close() };
    if (version !== 0)
      throw new StateTooNewError('The state of this folder was written by another version of stoa');
    db.close();
    return null;
  } catch (error) {
    db.close();
    throw isDamage(error) ? damaged(hiddenFolder, error) : error;
  }
}

export function createStateReader(db: DatabaseSync, hiddenFolder: string): StateReader {
  const meta = prepareMeta(db);
  const readLog = prepareLogReading(db);
  const count = db.prepare(`SELECT
    (SELECT count(*) FROM base) AS files,
    (SELECT count(*) FROM remote) AS remoteDifferences,
    (SELECT count(*) FROM hash_cache) AS localDifferences,
    (SELECT count(*) FROM intent) AS intents,
    (SELECT count(*) FROM conflict) AS conflicts,
    (SELECT count(*) FROM hold) AS holds,
    (SELECT count(*) FROM trash) AS trashFiles,
    (SELECT coalesce(sum(size), 0) FROM trash) AS trashBytes`);
  const notSkipped = 'WHERE path NOT IN (SELECT path FROM left_out)';
  const countPending = db.prepare(`SELECT
    (SELECT count(*) FROM remote ${notSkipped}) AS down,
    (SELECT count(*) FROM hash_cache ${notSkipped}) AS up,
    (SELECT count(*) FROM intent ${notSkipped}) AS intents`);
  const countSkipped = db.prepare(
    'SELECT reason, count(*) AS count FROM left_out GROUP BY reason ORDER BY reason',
  );
  const basePaths = db.prepare(
    'SELECT path FROM base WHERE path >= ? AND path > ? AND substr(path, 1, length(?)) = ? ORDER BY path LIMIT ?',
  );
  const skippedByPath = skipped.prepareReading(db, 'ORDER BY path LIMIT ?');
  const holdsBySince = hold.prepareReading(db, 'ORDER BY since, id');
  const conflictsByPath = conflict.prepareReading(db, 'ORDER BY copy_path LIMIT ?');
  const trashNewest = trash.prepareReading(db, 'ORDER BY at DESC, id DESC LIMIT ?');
  const trashByPath = trash.prepareReading(db, 'WHERE path = ?');
  const baseByPath = base.prepareReading(db, 'WHERE path = ?');
  const asked =
    <Args extends readonly unknown[], Result>(read: (...args: Args) => Result) =>
    async (...args: Args): Promise<Result> =>
      onDisk(hiddenFolder, () => read(...args));
  return {
    readMeta: asked(() => meta.load()),
    readCounts: asked(() => ({
      ...(count.get() as unknown as Omit<StateCounts, 'leftOut' | 'pending'>),
      pending: { ...(countPending.get() as unknown as StateCounts['pending']) },
      skipped: countSkipped
        .all()
        .map((row) => ({ reason: row.reason as SkipReason, count: row.count as number })),
    })),
    listLeftOut: asked((limit) => [...skippedByPath(limit).values()]),
    listHolds: asked(() => [...holdsBySince().values()]),
    listConflicts: asked((limit) => [...conflictsByPath(limit).values()]),
    listTrash: asked((limit) => [...trashNewest(limit).values()]),
    listTrashOf: asked((path) => [...trashByPath(path).values()]),
    readLog: asked((query) => readLog(query)),
    readBaseFile: asked((path) => baseByPath(path).get(path) ?? null),
    listBasePaths: asked((beginning, limit, after = '' as WorkspacePath) =>
      basePaths.all(beginning, after, beginning, beginning, limit).map(({ path }) => path as WorkspacePath),
    ),
  };
}
