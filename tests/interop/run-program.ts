import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const outputCharactersMax = 4 * 1024 * 1024;

/** The output and exit code of a program; `code` is null when it was stopped at a limit of time or output. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a script of a pinned package on this Node for at most `limitSeconds`. The script has a temporary home, because
 * such programs store settings, logs and credentials there.
 */
export async function runProgram(
  script: string,
  words: readonly string[],
  limitSeconds: number,
): Promise<Run> {
  await using home = await makeProgramHome();
  const child = spawn(process.execPath, [script, ...words], {
    cwd: home.folder,
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitSeconds * 1000,
    killSignal: 'SIGKILL',
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      if (printed[name].length > outputCharactersMax) child.kill('SIGKILL');
    });
  }
  await once(child, 'close');
  return { code: child.exitCode, ...printed };
}

/** Creates a folder that a program uses as its home, and a minimal environment that names it. */
export async function makeProgramHome() {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-interop-'));
  return {
    folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, USERPROFILE: folder, NO_COLOR: '1' },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Returns a file of a package, also when the package does not export it. */
export function packageFile(path: string): string {
  return new URL(`../../node_modules/${path}`, import.meta.url).pathname;
}
