import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { plainEnvironment } from '../sides/start-program.ts';
import type { Workbench } from '../workbench.ts';
import { readMemory } from './memory.ts';

/** The cost of one run of a program, from its start to its end. */
export interface Measured {
  readonly seconds: number;
  /** Processor time of the program and all its children. */
  readonly cpuSeconds: number;
  /** The peak memory of the program; null where the system does not report it, or if the program ended too early. */
  readonly peakBytes: number | null;
  readonly stdout: string;
}

export interface ProgramRun {
  readonly command: string;
  readonly words: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Exit codes that count as success. Any other code fails the case. */
  readonly expect?: readonly number[];
}

const lookEveryMs = 20;
/** The shell counts the processor time of its children, to the microsecond where the kernel does. */
const counted = '"$@"; code=$?; times >&3; exit $code';

/** Runs a program to its end. @throws with its output when it fails. */
export async function runMeasured(workbench: Workbench, run: ProgramRun): Promise<Measured> {
  const { command, words, variables = {}, expect = [0] } = run;
  const startedAt = performance.now();
  const child = spawn('sh', ['-c', counted, 'sh', command, ...words], {
    env: { ...plainEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  workbench.keep(child);
  const ended = once(child, 'close');
  const peak = watchPeak(child.pid, () => child.exitCode !== null || child.signalCode !== null);
  const [stdout, stderr, times] = await Promise.all([
    text(child.stdio[1] as Readable),
    text(child.stdio[2] as Readable),
    text(child.stdio[3] as Readable),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  const [code] = await ended;
  if (!expect.includes(code)) {
    const reported = `${stdout.slice(-2000)}\n${stderr.slice(-2000)}`;
    throw new Error(`${command} ${words.join(' ')} ended with ${code}; it printed:\n${reported}`);
  }
  return { seconds, cpuSeconds: childSeconds(times), peakBytes: await peak, stdout };
}

/** The second line of `times`: user and system time of the shell's children. */
function childSeconds(times: string): number {
  const [, line = ''] = times.trim().split('\n');
  let seconds = 0;
  for (const [, minutes, rest] of line.matchAll(/(\d+)m([\d.]+)s/g))
    seconds += Number(minutes) * 60 + Number(rest);
  return seconds;
}

/** Polls the peak memory of the shell's only child, which the kernel keeps until the child ends. */
async function watchPeak(shell: number | undefined, hasEnded: () => boolean): Promise<number | null> {
  let peak: number | null = null;
  while (!hasEnded() && shell !== undefined) {
    const children = await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8').catch(() => '');
    const [pid] = children.trim().split(' ').map(Number);
    const memory = pid === undefined || pid === 0 ? null : await readMemory(pid);
    if (memory !== null && !Number.isNaN(memory.peakBytes)) peak = Math.max(peak ?? 0, memory.peakBytes);
    await wait(lookEveryMs);
  }
  return peak;
}
