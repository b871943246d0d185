import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../../../../tests/support/program-environment.ts';
import { runAdmin } from '../../../src/admin/run-admin.ts';
import { hashPassword } from '../../../src/auth/password-hash.ts';
import { type Config, parseConfig } from '../../../src/config/parse-config.ts';
import { createDeps, type Deps } from '../../../src/create-deps.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';

const main = fileURLToPath(new URL('../../../bin/stoa-admin.cjs', import.meta.url));

export interface AdminRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Installation extends AsyncDisposable {
  /** The open parts of a running server on the same data directory. */
  readonly deps: Deps;
  readonly config: Config;
  /** Runs an operator command on these parts, or with another store. */
  admin(
    args: readonly string[],
    input?: string,
    store?: MetadataStore,
    /** The operator's choice at each question, yes by default; null without a terminal. */
    choice?: boolean | null,
  ): Promise<AdminRun>;
  /** The same in a process of its own, as operators run it. Much slower: for tests of two processes. */
  adminProcess(args: readonly string[], input?: string): Promise<AdminRun>;
}

/** A server's parts, open on a data directory of their own, with operator commands. */
export async function openInstallation(given: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-admin-'));
  const settings = {
    STOA_DATA_DIR: dataDir,
    STOA_SIGNUP: 'closed',
    STOA_SEED_WORKSPACES: 'false',
    ...given,
  };
  const config = parseConfig(settings);
  const fail = (cause: unknown) => {
    throw cause;
  };
  const deps = await createDeps(config, { onFatal: fail, reportProblem: (_message, cause) => fail(cause) });
  return {
    deps,
    config,
    admin: (args, input = '', store = deps.service.store, choice = true) =>
      runAdminHere({ service: { ...deps.service, store } }, config, args, input, choice),
    adminProcess: (args, input = '') => runAdminProcess(args, input, settings),
    async [Symbol.asyncDispose]() {
      await deps[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function runAdminHere(
  { service }: Pick<Deps, 'service'>,
  config: Config,
  args: readonly string[],
  input: string,
  choice: boolean | null,
): Promise<AdminRun> {
  let out = '';
  let err = '';
  const host = {
    // They stay open for the next command.
    open: async () => ({
      service,
      openWordIndex: async () => service.wordIndex,
      openBlobs: async () => service.blobs,
      config,
      hashPassword,
      async [Symbol.asyncDispose]() {},
    }),
    target: () => ({
      config,
      openBlobs: async () => service.blobs,
      isInstalled: async () => true,
      holdDatabase: () => assert.fail('the parts are open'),
      elsewhere: () => assert.fail('there is one location'),
    }),
    readInput: async () => input,
    progress: () => {},
    ask: async () => choice,
    print: (line: string) => {
      out += `${line}\n`;
    },
    complain: (line: string) => {
      err += `${line}\n`;
    },
  };
  return { code: await runAdmin(host, args), out, err };
}

export async function runAdminProcess(
  args: readonly string[],
  input: string,
  settings: Readonly<Record<string, string>>,
): Promise<AdminRun> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...programEnvironment, ...settings } });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), closed]);
  return { code, out, err };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
