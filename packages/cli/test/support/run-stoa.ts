import { PassThrough, Writable } from 'node:stream';
import { realPace } from '@stoa/client';
import type { Host, Pace, Send } from '../../src/output/host.ts';
import { runProgram } from '../../src/program.ts';
import { sendOverHttp } from '../../src/send-over-http.ts';

/** Output and exit code of a run. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Parses each line of standard output. */
  readonly json: () => readonly Record<string, unknown>[];
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly stdin?: string | Uint8Array;
  readonly terminal?: boolean;
  readonly pace?: Pace;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  /** By default `fetch`, or HTTP. */
  readonly send?: Send;
  /** Called at each output with all of standard output so far. */
  readonly heard?: (stdout: string) => void;
}

/** Runs the program in this process with its own streams. */
export async function runStoa(args: readonly string[], options: RunOptions): Promise<Ran> {
  const stdout = memory(options);
  const stderr = memory({ terminal: options.terminal === true });
  const stdin = Object.assign(new PassThrough(), { isTTY: options.terminal === true });
  stdin.end(options.stdin ?? '');
  const host: Host = {
    env: options.env ?? {},
    cwd: options.cwd,
    home: options.home ?? '/nowhere',
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: options.signal ?? new AbortController().signal,
    hostName: 'ada-laptop',
    platform: 'linux',
    command: { node: '/usr/bin/node', script: '/usr/lib/stoa/bin/stoa.js' },
    send: options.send ?? options.fetch ?? sendOverHttp,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    pace: options.pace ?? realPace,
  };
  const code = await runProgram(host, args);
  return {
    code,
    stdout: stdout.text(),
    stderr: stderr.text(),
    json: () =>
      stdout
        .text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

function memory({ terminal, heard }: Pick<RunOptions, 'terminal' | 'heard'>) {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString('utf8');
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      heard?.(text());
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: terminal === true, columns: 80 }), text };
}
