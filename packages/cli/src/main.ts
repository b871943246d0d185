// docs/decisions/0011-toolchain.md
import { realpathSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { homedir, hostname } from 'node:os';
import { realPace } from '@stoa/client';
import { signalExitCodes } from './output/exit-codes.ts';
import type { Host } from './output/host.ts';
import { runProgram } from './program.ts';
import { sendOverHttp } from './send-over-http.ts';

const endingText =
  'Ending: what is being sent or fetched has 10 seconds. Ctrl-C once more ends it at once; nothing is lost.\n';

/** Runs the whole program. There is no top-level await, because `bin/stoa.js` loads this with `require`. */
export async function main(): Promise<void> {
  const ending = new AbortController();
  let endedBy: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The user does not want to wait after a second signal.
      if (endedBy !== null) process.exit(signalExitCodes[signal]);
      endedBy = signalExitCodes[signal];
      ending.abort();
      // Explains to the user why the prompt does not return.
      if (process.stderr.isTTY) setTimeout(() => process.stderr.write(endingText), 500).unref();
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as in `stoa ls | head`.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`stoa: Standard output cannot be written (${error.code}).\n`);
    process.exit(1);
  });
  setGlobalProxyFromEnv();
  const code = await runProgram(hostOf(ending.signal), process.argv.slice(2));
  process.exitCode = endedBy ?? code;
}

function hostOf(signal: AbortSignal): Host {
  const { env, stdout, stderr, platform, execPath } = process;
  return {
    env,
    // npm runs scripts in the root of the package and passes the user's directory in this variable.
    cwd: env.npm_lifecycle_event === 'stoa' && env.INIT_CWD ? env.INIT_CWD : process.cwd(),
    home: homedir(),
    // Opened by the few commands that read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    signal,
    hostName: hostname(),
    platform,
    command: { node: execPath, script: realpathSync(process.argv[1] ?? '.') },
    send: sendOverHttp,
    // Read on use, because the first access loads its whole implementation.
    fetch: (...request) => globalThis.fetch(...request),
    // `performance` would load a measurement library.
    pace: { ...realPace, now: () => process.uptime() * 1000 },
  };
}
