import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const ownProgram = new URL('../../../packages/cli/bin/stoa.js', import.meta.url).pathname;
const startDeadlineMs = 120_000;
const outputMax = 200_000;

export type Reported = Readonly<Record<string, unknown>> & {
  readonly event?: string;
  readonly path?: string;
};

/** Options to start a process. */
export interface Launch {
  readonly env?: Readonly<Record<string, string>>;
  /** An installed program, instead of the program from these sources. */
  readonly program?: string;
  /** A command that replaces itself with the program. Its words precede those of the program. */
  readonly through?: readonly string[];
  /** The directory in which to create the folder. */
  readonly parent?: string;
}

/** The result of a run. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that is linked to a workspace, and the processes that work on it. */
export class SyncedFolder implements AsyncDisposable {
  readonly path: string;
  readonly #running = new Set<ChildProcess>();
  readonly #launch: Launch;

  private constructor(path: string, launch: Launch) {
    this.path = path;
    this.#launch = launch;
  }

  static async make(
    link: { readonly apiBase: string; readonly workspaceId: string; readonly key: string },
    launch: Launch = {},
  ): Promise<SyncedFolder> {
    const path = await mkdtemp(join(launch.parent ?? tmpdir(), 'stoa-synced-'));
    await mkdir(join(path, '.stoa'), { mode: 0o700 });
    const config = {
      api_base: link.apiBase,
      workspace_id: link.workspaceId,
      api_key_id: null,
      api_key: link.key,
      allow_http: true,
    };
    await writeFile(join(path, '.stoa', 'config.json'), JSON.stringify(config), { mode: 0o600 });
    return new SyncedFolder(path, launch);
  }

  /** An empty folder that is not linked yet. */
  static async unlinked(launch: Launch = {}): Promise<SyncedFolder> {
    return new SyncedFolder(await mkdtemp(join(launch.parent ?? tmpdir(), 'stoa-synced-')), launch);
  }

  /** Links the folder like a person: the program shows a code, which `approve` confirms. */
  async linkByPerson(server: string, approve: (code: string) => Promise<void>): Promise<void> {
    const { child, stdout, stderr } = this.#spawn(['link', server, this.path, '--json']);
    const ended = once(child, 'close');
    await until(
      () => stdout().includes('\n') || child.exitCode !== null,
      startDeadlineMs,
      () => `no code is shown: ${stderr()}`,
    );
    const { user_code: code } = JSON.parse(stdout().split('\n', 1)[0] ?? '') as { user_code: string };
    await approve(code);
    const [exitCode] = (await ended) as [number | null];
    assert.equal(exitCode, 0, stdout() + stderr());
  }

  /** Uses another address of the same server from now on. */
  async reachBy(address: string): Promise<void> {
    const location = join(this.path, '.stoa', 'config.json');
    const config = JSON.parse(await readFile(location, 'utf8')) as Record<string, unknown>;
    await writeFile(location, JSON.stringify({ ...config, api_base: address }));
  }

  /** Runs a command on the folder to its end. */
  async run(...args: readonly string[]): Promise<Ran> {
    const { child, stdout, stderr } = this.#spawn(args);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: stdout(), stderr: stderr() };
  }

  /** Links the folder again with another key. */
  async link(server: string, workspaceId: string, key: string): Promise<void> {
    const words = ['link', server, this.path, '--key-stdin', '--workspace', workspaceId];
    const { child, stdout, stderr } = this.#spawn(words, key);
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, stdout() + stderr());
  }

  /** Starts `stoa watch`, and waits until both sides were in sync once. */
  async watch(): Promise<Watch> {
    const { child, stdout, stderr } = this.#spawn(['watch', '--json']);
    const reported = () =>
      stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Reported);
    assert(child.pid !== undefined, 'the watch was not started');
    // After the exit there may still be unread output.
    const closed = once(child, 'close');
    const watch: Watch = {
      pid: child.pid,
      told: reported,
      async end(signal) {
        child.kill(signal);
        await closed;
        return { code: child.exitCode, stdout: stdout(), stderr: stderr() };
      },
      isRunning: () => child.exitCode === null && child.signalCode === null,
      stoppedDuring(act) {
        child.kill('SIGSTOP');
        try {
          act();
        } finally {
          child.kill('SIGCONT');
        }
      },
    };
    await until(
      () => reported().some(({ event }) => event === 'in_sync' || event === 'offline') || !watch.isRunning(),
      startDeadlineMs,
      () => `the watch did not start:\n${stdout()}\n${stderr()}`,
    );
    assert(watch.isRunning(), `the watch ended:\n${stdout()}\n${stderr()}`);
    return watch;
  }

  async write(path: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.path, path)), { recursive: true });
    await writeFile(join(this.path, path), text);
  }

  read(path: string): Promise<string | null> {
    return readFile(join(this.path, path), 'utf8').catch(() => null);
  }

  async rename(from: string, to: string): Promise<void> {
    await mkdir(dirname(join(this.path, to)), { recursive: true });
    await rename(join(this.path, from), join(this.path, to));
  }

  remove(path: string): Promise<void> {
    return rm(join(this.path, path), { recursive: true, force: true });
  }

  /** Hashes of all files by path; with `hidden` those of trash and rescued alone. */
  async hashes(hidden = false): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const names = await readdir(this.path, { recursive: true, withFileTypes: true });
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name).slice(this.path.length + 1);
      const isKept = /^\.stoa\/(?:trash|rescued)\//.test(path);
      if (hidden ? !isKept : path.startsWith('.stoa/') || path.startsWith('.git/')) continue;
      const bytes = await readFile(join(this.path, path)).catch(() => null);
      if (bytes !== null) found.set(path, hashOf(bytes));
    }
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all([...this.#running].map((child) => once(child, 'close')));
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  #spawn(args: readonly string[], input = '') {
    const { through = [], env, program = ownProgram } = this.#launch;
    const [command = '', ...words] = [...through, process.execPath, program, '-C', this.path, ...args];
    const child = spawn(command, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...environment(), ...env },
    });
    child.stdin.end(input);
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8');
      assert(stdout.length < outputMax * 10, 'the program prints too much');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-outputMax);
    });
    return { child, stdout: () => stdout, stderr: () => stderr };
  }
}

export interface Watch {
  readonly pid: number;
  /** All events so far. */
  told(): readonly Reported[];
  isRunning(): boolean;
  /** Stops the process during `act`, so that it sees all changes at once. */
  stoppedDuring(act: () => void): void;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ran>;
}

/** Polls a condition, and fails with the text of `describe` after the timeout. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs: number,
  describe: () => string | Promise<string>,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) assert.fail(await describe());
    await wait(50);
  }
}

export function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The program does not inherit the settings of the tests. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(STOA_|NODE_TEST|NODE_OPTIONS)/.test(name)),
  );
}
