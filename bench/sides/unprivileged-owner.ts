import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that Debian's web servers run as. */
export const webUser = 'www-data';

/** Gives the directory to the user of a web server's workers, which differs from root. */
export async function giveToWebUser(directory: string): Promise<{ readonly givenAway: boolean }> {
  if (process.getuid?.() !== 0) return { givenAway: false };
  await run('chown', ['-R', `${webUser}:${webUser}`, directory]);
  return { givenAway: true };
}
