import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The machine of a new user: only Node, an empty home, and no registry. */
export function newcomersEnvironment(home: string) {
  return {
    PATH: dirname(process.execPath),
    HOME: home,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
  };
}

/**
 * Installs the command line as a new user does: with npm, from the server alone. For a server started from
 * source, call `buildCli` first.
 * @param prefix an empty folder.
 * @returns the program.
 */
export async function installStoa(server: string, prefix: string): Promise<string> {
  const npm = (await run('which', ['npm'])).stdout.trim();
  const env = newcomersEnvironment(prefix);
  const address = `${server}/download/stoa-cli.tgz`;
  // As a child of this Node, because npm itself may be installed elsewhere.
  await run('sh', ['-c', `exec "${npm}" install --global --prefix "${prefix}" "${address}"`], {
    env: { ...env, PATH: `${env.PATH}:${process.env.PATH}` },
  });
  return join(prefix, 'bin/stoa');
}
