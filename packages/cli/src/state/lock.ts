import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockFileName } from './database-files.ts';
import { onDisk, sqliteBusy } from './disk-troubles.ts';

/** Lock of a folder for one process at a time. The system releases it when the process ends in any way. */
export interface FolderLock extends Disposable {
  release(): void;
}

/** @returns null while another process holds it @throws StateDiskError, because the lock is a file on the disk */
export function takeFolderLock(hiddenFolder: string): FolderLock | null {
  return onDisk(hiddenFolder, () => takeLock(hiddenFolder));
}

function takeLock(hiddenFolder: string): FolderLock | null {
  const file = join(hiddenFolder, lockFileName);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    if (process.platform !== 'win32') chmodSync(file, 0o600);
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy)
      return null;
    throw error;
  }
  const release = () => {
    if (db.isOpen) db.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** Whether a process works on the folder now. */
export function isFolderLocked(hiddenFolder: string): boolean {
  const lock = takeFolderLock(hiddenFolder);
  lock?.release();
  return lock === null;
}
