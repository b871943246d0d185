import process from 'node:process';
import { makeBackup } from '../../../src/backup/make-backup.ts';
import { RejectedBackup } from '../../../src/backup/manifest.ts';
import { pruneBackups } from '../../../src/backup/prune-backups.ts';
import { sqliteSource } from './sqlite-source.ts';

/** Prunes a directory of backups, or adds a backup of a data directory. Writes the error message, if any. */
const [directory = '', dataDir] = process.argv.slice(2);
const said = () => {};
try {
  if (dataDir === undefined) await pruneBackups(directory, { last: 1 }, false, said);
  else await makeBackup(await sqliteSource(dataDir), directory, { readKept: false }, said);
} catch (error) {
  if (!(error instanceof RejectedBackup)) throw error;
  process.stdout.write(error.message);
}
