import assert from 'node:assert/strict';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The calls that change what is on a disk, or make it durable. */
const traced = [
  ...[
    'openat',
    'open',
    'creat',
    'close',
    'pwrite64',
    'pwritev',
    'write',
    'writev',
    'ftruncate',
    'fsync',
    'fdatasync',
  ],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir'],
  ...['copy_file_range', 'sendfile', 'fallocate', 'truncate', 'symlink'],
];
const bytesMax = 16 * 1024 * 1024;
const traceEndTriesMax = 600;
const endBytes = 100;

/**
 * Returns the command that writes the calls of a program to `trace`. The tracer is a process of its own that ends after
 * the program.
 * @param faults calls that fail without being made, in strace syntax: `fsync:error=EIO:when=7`.
 */
export function tracingTo(trace: string, faults: readonly string[] = []): readonly string[] {
  const options = ['-D', '-f', '-y', '-ttt', '-T', '-xx', '--seccomp-bpf', '-s', String(bytesMax)];
  const injected = faults.flatMap((fault) => ['-e', `inject=${fault}`]);
  return ['strace', ...options, '-e', `trace=${traced.join(',')}`, ...injected, '-o', trace];
}

/** Waits for the tracer, which ends after the program: its last line is that of the first thread. */
export async function traceEnded(trace: string): Promise<void> {
  await using file = await open(trace);
  for (let tries = 0; tries < traceEndTriesMax; tries += 1) {
    const { size } = await file.stat();
    const [first] = /^\d+/.exec(await textAt(file, 0)) ?? [];
    const end = await textAt(file, Math.max(0, size - endBytes));
    if (new RegExp(`\\n${first} .*\\+\\+\\+\\n$`).test(end)) return;
    await wait(50);
  }
  assert.fail('the trace did not end with its program');
}

/** Reads the end of a trace, which can be very long. */
async function textAt(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(endBytes), 0, endBytes, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/** A call that succeeded. Times are in milliseconds since the epoch. */
export interface Call {
  readonly name: string;
  readonly entry: number;
  readonly exit: number;
  /** As printed: numbers, flags, `23<path>`; texts and bytes are hexadecimal in quotes. */
  readonly arguments: readonly string[];
  readonly result: number;
}

/**
 * Reads calls in the order in which they took effect. That is the order of the lines with their ends, and not of the
 * clock. A close counts from its begin: another thread may get the descriptor before the close has ended.
 */
export async function readTrace(trace: string): Promise<readonly Call[]> {
  const calls: { readonly call: Call; readonly line: number }[] = [];
  /** By thread, the beginning of a call during which another thread's call was printed. */
  const begun = new Map<string, { readonly entry: string; readonly text: string; readonly line: number }>();
  for (const [at, line] of (await readFile(trace, 'latin1')).split('\n').entries()) {
    const [, thread = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/s.exec(line) ?? [];
    if (rest.endsWith(' <unfinished ...>')) {
      begun.set(thread, { entry: time, text: rest.slice(0, -' <unfinished ...>'.length), line: at });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest);
    const before = resumed === null ? undefined : begun.get(thread);
    const call = parseCall(before?.entry ?? time, before === undefined ? rest : before.text + resumed?.[1]);
    if (call === null) continue;
    calls.push({ call, line: call.name === 'close' ? (before?.line ?? at) : at });
  }
  return calls.sort((one, other) => one.line - other.line).map(({ call }) => call);
}

function parseCall(entry: string, text: string): Call | null {
  const parsed = /^(\w+)\((.*)\) += (\d+)(?:<[^>]*>)?(?: \([^)]*\))? <(\d+\.\d+)>$/s.exec(text);
  if (parsed === null) return null;
  const [, name = '', listed = '', result = '', seconds = ''] = parsed;
  const from = Number(entry) * 1000;
  return {
    name,
    entry: from,
    exit: from + Number(seconds) * 1000,
    arguments: splitArguments(listed),
    result: Number(result),
  };
}

/** Splits arguments. Bytes are hexadecimal, so that no text contains a separator; lists are in brackets. */
function splitArguments(listed: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= listed.length; at += 1) {
    const character = listed[at];
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (character === undefined || (character === ',' && depth === 0)) {
      found.push(listed.slice(from, at).trim());
      from = at + 1;
    }
  }
  return found;
}

/** Returns the bytes of an argument, joined if it is a list. */
export function bytesOf(argument: string): Buffer {
  const chunks = [...argument.matchAll(/"([^"]*)"(\.\.\.)?/g)].map(([, hex = '', cut]) => {
    if (cut !== undefined) throw new Error('the trace cut off the bytes of a write');
    return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
  });
  return Buffer.concat(chunks);
}

/** Returns the descriptor of `23<path>`. */
export function descriptorOf(argument: string): number {
  return Number.parseInt(argument, 10);
}
