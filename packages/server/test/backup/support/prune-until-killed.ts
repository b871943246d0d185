import process from 'node:process';
import { pruneBackups } from '../../../src/backup/prune-backups.ts';

/**
 * Prunes a directory to the newest backups and is killed at its n-th step. Exits with 0 when there are fewer
 * steps.
 */
const [directory = '', last = '', steps = ''] = process.argv.slice(2);
let left = Number(steps);
await pruneBackups(directory, { last: Number(last) }, false, () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
