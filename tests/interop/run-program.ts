import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const outputCharactersMax = 4 * 1024 * 1024;

/** What a program printed, and how it ended; `code` is null when it was ended for taking too long or too much. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a script of a pinned package on this Node, in a home of its own that goes afterwards: such programs keep
 * settings, logs and credentials. It ends after `limitSeconds` at the latest.
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

/** A folder that a program takes for the person's home, and an environment that says so and little else. */
export async function makeProgramHome() {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-interop-'));
  return {
    folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, USERPROFILE: folder, NO_COLOR: '1' },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The file that runs when a package's command is called. Works where packages do not export it. */
export function packageFile(path: string): string {
  return new URL(`../../node_modules/${path}`, import.meta.url).pathname;
}
