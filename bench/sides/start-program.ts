import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workbench } from '../workbench.ts';

const startDeadlineMs = 60_000;
const logTailCharacters = 20_000;

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly pid: number;
}

/**
 * Starts a server and waits until it accepts connections on the port.
 * @throws with its output when it ends before that, or takes too long.
 */
export async function startProgram(
  workbench: Workbench,
  command: string,
  words: readonly string[],
  port: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<StartedProgram> {
  const child = spawn(command, words, {
    env: { ...plainEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  workbench.keep(child);
  let log = '';
  const keep = (chunk: Buffer) => {
    log = (log + chunk.toString('utf8')).slice(-logTailCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  await once(child, 'spawn');
  const deadline = performance.now() + startDeadlineMs;
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    if (child.pid !== undefined && (await accepts(port))) return { child, pid: child.pid };
    await wait(20);
  }
  await workbench.end(child);
  throw new Error(`${command} did not start; it printed:\n${log}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Returns the environment of the bench without variables that a server would read as settings. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('STOA_') && !name.startsWith('NODE_'),
  );
  return Object.fromEntries(inherited);
}
