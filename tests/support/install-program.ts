import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const installMsMax = 10 * 60_000;

/** A program of the system that a test needs. */
export interface SystemProgram {
  /** Its name, for the message that it is missing. */
  readonly name: string;
  /** A shell command that succeeds when the program is installed. */
  readonly check: string;
  /** The one command that installs it, as root on Debian. */
  readonly install: string;
}

export type FoundProgram = { readonly kind: 'found' } | { readonly kind: 'missing'; readonly reason: string };

/**
 * Looks for a program, and installs it where that is possible. Test files run in parallel, but the package
 * manager installs one at a time. A lock orders them, so that one file waits for the installation of another.
 */
export async function findProgram({ name, check, install }: SystemProgram): Promise<FoundProgram> {
  if (process.getuid?.() === 0) {
    const lock = join(tmpdir(), 'stoa-install-programs.lock');
    const script = `{ ${check}; } || { apt-get update; ${install}; ${check}; }`;
    const isThere = await succeeds('flock', ['--wait', '600', lock, 'sh', '-c', script]);
    if (isThere) return { kind: 'found' };
  }
  // Without `flock`, or when the installation failed, only the check says whether the program is there.
  return (await succeeds('sh', ['-c', check]))
    ? { kind: 'found' }
    : { kind: 'missing', reason: `no ${name} here: as root, ${install}` };
}

async function succeeds(command: string, words: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return await run(command, words, { timeout: installMsMax, env }).then(
    () => true,
    () => false,
  );
}
