import { constants as accesses, accessSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { StateDamagedError, StateDiskError, type StateDiskTrouble } from '../engine/ports/state-store.ts';
import { databaseFiles } from './database-files.ts';

/** Another connection holds it: `lock.ts` asks for this one by itself. */
export const sqliteBusy = 5;
const sqliteLocked = 6;
const sqliteReadOnly = 8;
const sqliteIoError = 10;
const sqliteFull = 13;
const sqliteCannotOpen = 14;
const sqlitePermission = 3;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;
/** The memory that readers and the writer share is a file, which could not be made as long as it has to be. */
const sqliteShmSize = 4874;

/** What the system says of a disk, by what it is for people. */
const troubles: ReadonlyMap<string, StateDiskTrouble> = new Map([
  ...['ENOSPC', 'EDQUOT'].map((code) => [code, 'full'] as const),
  ['EROFS', 'read_only'],
  ...['EACCES', 'EPERM'].map((code) => [code, 'denied'] as const),
  ...['EIO', 'EFBIG', 'ESTALE', 'ENOTCONN', 'ENODEV', 'ENXIO', 'ETIMEDOUT'].map(
    (code) => [code, 'failing'] as const,
  ),
]);

/**
 * What SQLite or the system says of the disk of a hidden folder, as an error that people can be told of. Everything else as it
 * is. SQLite says of most of it only that it cannot: then the system is asked why.
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
  return new StateDiskError(trouble, sentences[trouble](hiddenFolder), { cause: error });
}

/** The database is not one any more. */
export function isTorn(error: Error): boolean {
  const code = 'errcode' in error ? Number(error.errcode) & 0xff : null;
  return code === sqliteCorrupt || code === sqliteNotADatabase;
}

export function damaged(hiddenFolder: string, cause: unknown): StateDamagedError {
  return new StateDamagedError(`What is known of the folder, in ${hiddenFolder}, is damaged`, { cause });
}

/** Does it, and names what the disk says. */
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
  // Node has no name for a reached quota: its code is UNKNOWN, and the number alone says it.
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

/** What keeps this user from reading or writing the folder, or a database in it. */
function troubleThere(hiddenFolder: string): StateDiskTrouble | null {
  for (const name of ['', ...databaseFiles]) {
    try {
      const rights = accesses.R_OK | accesses.W_OK | (name === '' ? accesses.X_OK : 0);
      accessSync(join(hiddenFolder, name), rights);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // One that is not there is made, or was gone before.
      if (code === 'ENOENT') continue;
      return troubles.get(code) ?? 'failing';
    }
  }
  return null;
}

const sentences: Readonly<Record<StateDiskTrouble, (hiddenFolder: string) => string>> = {
  full: (hiddenFolder) => `The disk of ${hiddenFolder} is full`,
  read_only: (hiddenFolder) => `The disk of ${hiddenFolder} is read-only`,
  denied: (hiddenFolder) => `This user may not read and write in ${hiddenFolder}`,
  failing: (hiddenFolder) => `The disk of ${hiddenFolder} fails`,
  locked: (hiddenFolder) => `Another program holds what is known of the folder, in ${hiddenFolder}`,
};
