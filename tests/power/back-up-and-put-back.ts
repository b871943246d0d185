import { pruneBackups } from '../../packages/server/src/backup/prune-backups.ts';
import { backUp, restore } from '../support/backups-here.ts';

/** The output of this program. Times are in milliseconds since the epoch. Times of an end are rounded up. */
export interface BackupsMade {
  /** The names of the backups. */
  readonly older: string;
  readonly newer: string;
  readonly olderDone: number;
  readonly newerDone: number;
  readonly pruneBegun: number;
  readonly pruneDone: number;
  readonly restoreDone: number;
}

/** Backs up two states of an installation, prunes the first backup, and restores the second. */
async function main([olderData = '', newerData = '', directory = '', restored = '']: readonly string[]) {
  const older = await backUp(olderData, directory);
  const olderDone = Date.now() + 1;
  const newer = await backUp(newerData, directory);
  const newerDone = Date.now() + 1;
  const pruneBegun = Date.now();
  await pruneBackups(directory, { last: 1 }, false, () => {});
  const pruneDone = Date.now() + 1;
  await restore(directory, newer, restored);
  const made: BackupsMade = {
    older,
    newer,
    olderDone,
    newerDone,
    pruneBegun,
    pruneDone,
    restoreDone: Date.now() + 1,
  };
  process.stdout.write(JSON.stringify(made));
}

if (import.meta.main) await main(process.argv.slice(2));
