import process from 'node:process';
import { hashPassword } from '../auth/password-hash.ts';
import { ConfigError } from '../config/config-error.ts';
import { parseConfig, readConfig } from '../config/parse-config.ts';
import { withoutStorage } from '../config/storage-settings.ts';
import { createOperatorDeps, holdDatabase, isInstalled, openBlobs } from '../create-deps.ts';
import { StartError } from '../start/start-error.ts';
import type { AdminDeps, AdminTarget } from './command.ts';
import { readStandardInput } from './read-standard-input.ts';
import { runAdmin } from './run-admin.ts';

const listeners = {
  onFatal: (error: unknown) => {
    complain(`The storage failed, and nothing was changed: ${String(error)}`);
    process.exit(1);
  },
  reportProblem: (message: string, cause: unknown) =>
    complain(cause === null ? message : `${message}: ${String(cause)}`),
};
const progressEveryMs = 5000;
let lastProgressAt = performance.now();

/** Runs the command of this process's arguments. Resolves to its exit code. */
export async function runProcess(): Promise<number> {
  // A command may be the first to open the database.
  process.umask(0o077);
  process.stdout.on('error', unlessClosed);
  try {
    const host = { open, target, readInput: readStandardInput, progress, print, complain };
    return await runAdmin(host, process.argv.slice(2));
  } catch (error) {
    if (error instanceof ConfigError) {
      complain(['The settings are wrong:', ...error.problems].join('\n  '));
      return 2;
    }
    if (error instanceof StartError) {
      complain(error.message);
      return 1;
    }
    throw error;
  }
}

async function open(): Promise<AdminDeps & AsyncDisposable> {
  const config = readConfig();
  const deps = await createOperatorDeps(config, listeners);
  return {
    config,
    service: deps.service,
    openContentIndex: deps.openContentIndex,
    openBlobs: deps.openBlobs,
    hashPassword,
    [Symbol.asyncDispose]: () => deps[Symbol.asyncDispose](),
  };
}

function target(config = readConfig()): AdminTarget {
  return {
    config,
    openBlobs: () => openBlobs(config, listeners),
    isInstalled: () => isInstalled(config),
    holdDatabase: (expect) => holdDatabase(config, expect),
    elsewhere: (given) => target(parseConfig({ ...withoutStorage(process.env), ...given })),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Whoever reads the answer may have read enough (`| head`). What the command does is done to its end all the same. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A line now and then, beside the answer, so that long work is not taken for work that hangs. */
function progress(step: string): void {
  const now = performance.now();
  if (now - lastProgressAt < progressEveryMs) return;
  lastProgressAt = now;
  complain(`… ${step}`);
}
