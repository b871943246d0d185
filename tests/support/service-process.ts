import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { makeServiceHome, type ServiceHome } from './service-home.ts';

/** An import would evaluate all exports, including `fetch`, which takes as long as a process start. */
const { get } = process.getBuiltinModule('node:http');
const sourceEntry = new URL('../../packages/server/src/main.ts', import.meta.url).pathname;
const cheapPasswords = new URL('./cheap-passwords.cjs', import.meta.url).pathname;
/** Set by the run: the program that it built, which starts faster than its sources. */
export const programVariable = 'STOA_TEST_PROGRAM';
/** Far more than a start takes: a busy machine may delay it, and so may a slow object store. */
const startDeadlineMs = 300_000;
/** Twice the grace time of the service for accepted requests, because tests also read its last log lines. */
const stopDeadlineMs = 60_000;
const lookEveryMs = 20;
/** The service prints this once it listens. Before that a health check is useless. */
const greeting = '\nStoa is at ';
const logTailCharacters = 200_000;

/** Variables of the service, in addition to those that every test service has. */
export type ServiceVariables = Readonly<Record<string, string>>;

/** A service in its own process. Disposing of it kills the process and removes a home made for it. */
export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  readonly home: ServiceHome;
  readonly port: number;
  readonly pid: number;
  /** The environment it runs with, for operator commands on the same data. */
  readonly env: NodeJS.ProcessEnv;
  /** Its output so far, or the last part of a long one. */
  log(): string;
  isRunning(): boolean;
  /** Sends a signal that does not end it. */
  signal(signal: 'SIGUSR2'): void;
  /** Sends the signal and resolves once the process has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

const running = new Set<ChildProcess>();
let isWatched = false;

/**
 * Started processes end with this process. A program that handles the signals itself also ends them when it
 * exits.
 */
function endWithThisProcess(): void {
  if (isWatched) return;
  isWatched = true;
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(1));
  }
}

interface StartedOn {
  /** For a restart after a crash, or to share with another node. The caller removes it. */
  readonly home: ServiceHome;
  readonly port?: number;
  /** A command that runs it, and becomes its process. */
  readonly under?: readonly string[];
}

/** Starts the service, by default on a new home, and waits until it is healthy. */
export async function startService(
  variables: ServiceVariables = {},
  on: StartedOn | null = null,
): Promise<ServiceProcess> {
  const service = await spawnService(variables, on);
  await healthy(service);
  return service;
}

/** Starts the service and does not wait for it. */
export async function spawnService(
  variables: ServiceVariables = {},
  on: StartedOn | null = null,
): Promise<ServiceProcess> {
  endWithThisProcess();
  const home = on?.home ?? (await makeServiceHome());
  const port = on?.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = serviceEnvironment({
    NODE_OPTIONS: `--require ${JSON.stringify(cheapPasswords)}`,
    STOA_HOST: '127.0.0.1',
    STOA_PORT: String(port),
    ...home.variables,
    STOA_BASE_URL: url,
    STOA_SIGNUP: 'open',
    STOA_SIGNIN_LIMIT: '0',
    STOA_SEED_WORKSPACES: 'false',
    STOA_LOG_LEVEL: 'warn',
    ...variables,
  });
  const entry = process.env[programVariable] ?? sourceEntry;
  const [program = process.execPath, ...args] = [...(on?.under ?? []), process.execPath, entry];
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let log = '';
  const keep = (chunk: Buffer) => {
    log = (log + chunk.toString('utf8')).slice(-logTailCharacters);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('exit', () => running.delete(child));
  // This comes after its exit, when the last output has arrived.
  const ended = once(child, 'close');
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (running.has(child)) child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    await ended;
    clearTimeout(timer);
  };
  const service: ServiceProcess = {
    url,
    home,
    port,
    pid: child.pid ?? 0,
    env,
    log: () => log,
    isRunning: () => running.has(child),
    signal: (signal) => {
      child.kill(signal);
    },
    end,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      if (on === null) await home[Symbol.asyncDispose]();
    },
  };
  return service;
}

/** Resolves when it is healthy. @throws Error when it ended or takes too long. Then it is disposed of. */
async function healthy(service: ServiceProcess): Promise<void> {
  const deadline = performance.now() + startDeadlineMs;
  while (service.isRunning() && performance.now() < deadline) {
    if (service.log().includes(greeting) && (await isHealthy(service.url))) return;
    await wait(lookEveryMs);
  }
  await service[Symbol.asyncDispose]();
  throw new Error(`the service did not start; it printed:\n${service.log()}`);
}

/** Without `fetch`, which loads slowly on first use: most test files use another client. */
function isHealthy(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/api/health`, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', () => resolve(false));
  });
}

/** The environment without the tests' own settings, so the service reads only the given ones. */
export function serviceEnvironment(variables: ServiceVariables): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name === 'NODE_COMPILE_CACHE' || !/^(STOA|NODE)_/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...variables };
}
