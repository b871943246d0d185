import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serviceEnvironment } from '../support/service-process.ts';

/** Far longer than a start takes, also on a busy machine. */
const startDeadlineMs = 300_000;
const printedMaxCharacters = 100_000;

/** A command that starts a service, as a user types it. Disposing of it ends all its processes. */
export interface StartedCommand extends AsyncDisposable {
  /** Both outputs, so far. */
  printed(): string;
  /** Resolves once the text was printed. */
  untilPrinted(text: string): Promise<void>;
  /** Sends SIGTERM to the command itself, and resolves once it has ended. */
  terminate(): Promise<void>;
}

/** Starts the command on the Node that runs this test, and waits until the service at `url` says that it is healthy. */
export async function startCommand(
  [program = '', ...args]: readonly string[],
  { cwd, url, variables }: { cwd: string; url: string; variables: Readonly<Record<string, string>> },
): Promise<StartedCommand> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
  const child = spawn(program, args, {
    cwd,
    env: serviceEnvironment({ ...variables, PATH }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that a failed test leaves no process behind.
    detached: true,
  });
  const { pid } = child;
  assert.ok(pid !== undefined, `${program} cannot be started`);
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-printedMaxCharacters);
    });
  }
  const ended = once(child, 'exit');
  const isUp = () => child.exitCode === null && child.signalCode === null;
  const started: StartedCommand = {
    printed: () => printed,
    untilPrinted: async (text) => {
      const deadline = performance.now() + startDeadlineMs;
      while (!printed.includes(text) && isUp() && performance.now() < deadline) await wait(50);
      assert.ok(printed.includes(text), `it printed:\n${printed}`);
    },
    terminate: async () => {
      process.kill(pid, 'SIGTERM');
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      endGroup(pid);
      await ended;
    },
  };
  const deadline = performance.now() + startDeadlineMs;
  while (isUp() && performance.now() < deadline) {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok === true) return started;
    await wait(50);
  }
  await started[Symbol.asyncDispose]();
  assert.fail(`${program} ${args.join(' ')} started no service; it printed:\n${printed}`);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}
