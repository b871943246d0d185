import { constants as accesses, accessSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { StateDamagedError, StateDiskError, type StateDiskTrouble } from '../engine/ports/state-store.ts';
import { databaseFiles } from './database-files.ts';

/** Another connection holds the lock. `lock.ts` tests for this code. */
export const sqliteBusy = 5;
const sqliteLocked = 6;
const sqliteReadOnly = 8;
const sqliteIoError = 10;
const sqliteFull = 13;
const sqliteCannotOpen = 14;
const sqlitePermission = 3;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
/** The shared memory of readers and writer is a file that could not grow to its size. */
const sqliteShmSize = 4874;

/** Categories of the system's disk errors. */
const troubles: ReadonlyMap<string, StateDiskTrouble> = new Map([
  ...['ENOSPC', 'EDQUOT'].map((code) => [code, 'full'] as const),
  ['EROFS', 'read_only'],
  ...['EACCES', 'EPERM'].map((code) => [code, 'denied'] as const),
  ...['EIO', 'EFBIG', 'ESTALE', 'ENOTCONN', 'ENODEV', 'ENXIO', 'ETIMEDOUT'].map(
    (code) => [code, 'failing'] as const,
  ),
]);

/**
 * Converts disk errors of SQLite or the system to an error with a message for users. Returns other errors unchanged.
 * SQLite reports most disk errors without a reason, so the system is asked for it.
 */
export function namedDiskTrouble(error: unknown, hiddenFolder: string): unknown {
  if (!(error instanceof Error)) return error;
  if (isTorn(error)) return damaged(hiddenFolder, error);
  const trouble =
    'errcode' in error
      ? troubleOfSqlite(Number(error.errcode), hiddenFolder)
      : 'code' in error
        ? troubleOfSystem(error)
        : undefined;
  if (trouble === undefined) return error;
  return new StateDiskError(trouble, messages[trouble](hiddenFolder), { cause: error });
}

/** Whether the file is no longer a valid database. */
export function isTorn(error: Error): boolean {
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : null;
  return code === sqliteCorrupt || code === sqliteNotADatabase;
}

export function damaged(hiddenFolder: string, cause: unknown): StateDamagedError {
  return new StateDamagedError(`The sync state of the folder, in ${hiddenFolder}, is damaged`, { cause });
}

/** Runs an action and converts disk errors. */
export function onDisk<Result>(hiddenFolder: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw namedDiskTrouble(error, hiddenFolder);
  }
}

export async function onDiskLater<Result>(hiddenFolder: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw namedDiskTrouble(error, hiddenFolder);
  }
}

function troubleOfSystem(error: Error & { readonly code: unknown }): StateDiskTrouble | undefined {
  // Node has no name for an exceeded quota. Its code is UNKNOWN, and only the number identifies it.
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return 'full';
  return troubles.get(String(error.code));
}

function troubleOfSqlite(errcode: number, hiddenFolder: string): StateDiskTrouble | undefined {
  if (errcode === sqliteShmSize) return 'full';
  switch (errcode & 0xff) {
    case sqliteFull:
      return 'full';
    case sqliteBusy:
    case sqliteLocked:
      return 'locked';
    case sqliteReadOnly:
    case sqliteIoError:
    case sqliteCannotOpen:
    case sqlitePermission:
      return troubleThere(hiddenFolder) ?? 'failing';
    default:
      return undefined;
  }
}

/** Why this user cannot read or write the folder or a database in it. */
function troubleThere(hiddenFolder: string): StateDiskTrouble | null {
  for (const name of ['', ...databaseFiles]) {
    try {
      const rights = accesses.R_OK | accesses.W_OK | (name === '' ? accesses.X_OK : 0);
      accessSync(join(hiddenFolder, name), rights);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // A missing file will be created, or was already gone.
      if (code === 'ENOENT') continue;
      return troubles.get(code) ?? 'failing';
    }
  }
  return null;
}

const messages: Readonly<Record<StateDiskTrouble, (hiddenFolder: string) => string>> = {
  full: (hiddenFolder) => `The disk of ${hiddenFolder} is full`,
  read_only: (hiddenFolder) => `The disk of ${hiddenFolder} is read-only`,
  denied: (hiddenFolder) => `This user may not read and write in ${hiddenFolder}`,
  failing: (hiddenFolder) => `The disk of ${hiddenFolder} fails`,
  locked: (hiddenFolder) => `Another program uses the sync state of the folder, in ${hiddenFolder}`,
};
