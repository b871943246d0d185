import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { shownLines } from '@stoa/core';
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

/** Runs the command in this process's arguments. Resolves to its exit code. */
export async function runProcess(): Promise<number> {
  // A command may be the first to create the database.
  process.umask(0o077);
  process.stdout.on('error', unlessClosed);
  try {
    const host = { open, target, readInput: readStandardInput, progress, ask, print, complain };
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
    openWordIndex: deps.openWordIndex,
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

/** The reader of the output may stop early (`| head`). The command still completes its work. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function complain(line: string): void {
  process.stderr.write(`${shownLines(line)}\n`);
}

async function ask(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Prints progress now and then to standard error, to show that long work is not stuck. */
function progress(step: string): void {
  const now = performance.now();
  if (now - lastProgressAt < progressEveryMs) return;
  lastProgressAt = now;
  complain(`… ${step}`);
}
