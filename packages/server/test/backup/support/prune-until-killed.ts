import process from 'node:process';
import { pruneBackups } from '../../../src/backup/prune-backups.ts';

/** Keeps the newest and so many before it, and is killed at its n-th step; ends with 0 where there are fewer. */
const [directory = '', last = '', steps = ''] = process.argv.slice(2);
let left = Number(steps);
await pruneBackups(directory, { last: Number(last) }, false, () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
