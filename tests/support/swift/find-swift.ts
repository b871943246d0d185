import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The system's own Python: another one that comes first in the path has no Swift. */
export const python = '/usr/bin/python3';

/** The servers as modules. The packages that run them as services of the machine are not wanted. */
const installCommand = 'apt-get install -y --no-install-recommends python3-swift';
const installMsMax = 10 * 60_000;
const run = promisify(execFile);

export type FoundSwift = { readonly kind: 'found' } | { readonly kind: 'missing'; readonly reason: string };

/**
 * OpenStack Swift: the one that is installed, else one that is installed now where that is possible. Under a lock, since
 * test files run side by side.
 */
export async function findSwift(): Promise<FoundSwift> {
  if (await isInstalled()) return { kind: 'found' };
  if (process.getuid?.() === 0) {
    const lock = join(tmpdir(), 'stoa-install-swift.lock');
    const script = `${checkCommand} || { apt-get update; ${installCommand}; }`;
    await run('flock', ['--wait', '600', lock, 'sh', '-c', script], {
      timeout: installMsMax,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => null);
    if (await isInstalled()) return { kind: 'found' };
  }
  return { kind: 'missing', reason: `no object store here: as root, ${installCommand}` };
}

const checkCommand = `${python} -c 'import swift.proxy.server, swift.obj.server'`;

async function isInstalled(): Promise<boolean> {
  return run('sh', ['-c', checkCommand]).then(
    () => true,
    () => false,
  );
}
