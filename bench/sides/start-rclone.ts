import { freePort } from '../../tests/support/free-port.ts';
import type { Workbench } from '../workbench.ts';
import { findProgram } from './find-program.ts';
import type { MissingSide } from './side.ts';
import { startProgram } from './start-program.ts';

/** rclone on both ends: `rclone serve webdav` over a directory, and the client that copies to and from it. */
export interface Rclone extends AsyncDisposable {
  readonly command: string;
  readonly port: number;
  /** Returns the client's name for a folder of the served directory. */
  readonly remote: (folder: string) => string;
  /** Settings for each run, without the user's configuration file. */
  readonly variables: Readonly<Record<string, string>>;
}

export const missingRclone: MissingSide = { name: 'rclone', install: 'apt-get install rclone' };

/** @returns null when it is not installed. */
export async function startRclone(workbench: Workbench, directory: string): Promise<Rclone | null> {
  const command = await findProgram('rclone');
  if (command === null) return null;
  const port = await freePort();
  const home = await workbench.directory('rclone');
  const variables = { RCLONE_CONFIG: `${home}/none.conf`, RCLONE_CACHE_DIR: `${home}/cache` };
  const words = ['serve', 'webdav', directory, '--addr', `127.0.0.1:${port}`];
  const { child } = await startProgram(workbench, command, words, port, variables);
  return {
    command,
    port,
    remote: (folder) => `:webdav:${folder}`,
    variables: { ...variables, RCLONE_WEBDAV_URL: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: () => workbench.end(child),
  };
}
