import { chmodSync, existsSync, renameSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stateFileName } from './database-files.ts';
import { isTorn, onDisk } from './disk-troubles.ts';
import { addIndexes, createSchema, readSchemaVersion, schemaVersion } from './schema.ts';

const busyTimeoutMs = 5000;
/** Limit of damaged databases, from `state.db.broken-1` to this number. */
const brokenKeptMax = 1000;

/** The state was written by a newer version of this program. */
export class StateTooNewError extends Error {
  override readonly name = 'StateTooNewError';
}

/** The open database. */
export interface OpenedDatabase {
  readonly db: DatabaseSync;
  /** New path of a damaged database, which this one replaces; null without one. */
  readonly quarantinedPath: string | null;
  /** On a disk that other machines also write. */
  readonly isShared: boolean;
}

/**
 * Opens or creates `state.db` in the hidden folder. Checks it after an unclean end. A damaged database is quarantined
 * and replaced by an empty one. Then a first contact joins both sides and deletes nothing.
 * @throws StateTooNewError, StateDiskError
 */
export function openStateDatabase(hiddenFolder: string): OpenedDatabase {
  return onDisk(hiddenFolder, () => openOrQuarantine(hiddenFolder));
}

function openOrQuarantine(hiddenFolder: string): OpenedDatabase {
  const file = join(hiddenFolder, stateFileName);
  const isNew = !existsSync(file);
  const isShared = process.platform !== 'win32' && sharedDisks.has(statfsSync(hiddenFolder).type >>> 0);
  try {
    return { db: openSound(file, isNew, isShared), quarantinedPath: null, isShared };
  } catch (error) {
    if (isNew || !isDamage(error)) throw error;
    const quarantine = quarantineFiles(file);
    return { db: openSound(file, true, isShared), quarantinedPath: quarantine, isShared };
  }
}

function openSound(file: string, isNew: boolean, isShared: boolean): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    if (process.platform !== 'win32') chmodSync(file, 0o600);
    // The write-ahead log needs shared memory, which other machines cannot access.
    db.exec(`PRAGMA journal_mode = ${isShared ? 'DELETE' : 'WAL'}`);
    db.exec('PRAGMA synchronous = FULL');
    const version = readSchemaVersion(db);
    if (version > schemaVersion) {
      throw new StateTooNewError('The state of this folder was written by a newer stoa: install that one');
    }
    if (isNew || version === 0) createSchema(db);
    else if (!endedCleanly(db)) check(db);
    addIndexes(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Types of NFS, three variants of SMB, and FUSE, as `statfs` reports them on Linux. */
const sharedDisks = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546]);

function endedCleanly(db: DatabaseSync): boolean {
  return db.prepare("SELECT value FROM meta WHERE key = 'endedCleanly'").get()?.value === 'true';
}

function check(db: DatabaseSync): void {
  const damage = findDamage(db);
  if (damage !== null) throw new DamagedError(damage);
}

/** Null if it is intact. */
export function findDamage(db: DatabaseSync): string | null {
  const result = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  return result === 'ok' ? null : String(result);
}

class DamagedError extends Error {}

const sqliteError = 1;

/** A missing table is also damage, because the name and location show that the file belongs to this program. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return isTorn(error) || (Number(error.errcode) & 0xff) === sqliteError;
}

/** @returns their new path */
export function quarantineFiles(file: string): string {
  for (let n = 1; n <= brokenKeptMax; n += 1) {
    const quarantined = `${file}.broken-${n}`;
    if (existsSync(quarantined)) continue;
    renameSync(file, quarantined);
    for (const suffix of ['-wal', '-shm', '-journal']) {
      if (existsSync(file + suffix)) renameSync(file + suffix, quarantined + suffix);
    }
    return quarantined;
  }
  throw new Error(`More than ${brokenKeptMax} damaged states are kept next to ${file}: remove them`);
}
