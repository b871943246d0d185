import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildCli, cliBuildLocation, cliPackageName } from '../../scripts/building/build-cli.ts';
import { recordOf } from '../../tests/support/response.ts';
import type { Bench } from '../bench-case.ts';
import { type Measured, runMeasured } from '../measure/run-measured.ts';
import { plainEnvironment } from '../sides/start-program.ts';
import type { StoaSide } from '../sides/start-stoa.ts';
import type { Workbench } from '../workbench.ts';
import type { Tree } from './make-tree.ts';

const run = promisify(execFile);
const control = fileURLToPath(new URL('../controls/bare-sync.ts', import.meta.url));
const watchStartMs = 300_000;

/** A workspace, and a key for it alone. */
export interface DeskWorkspace {
  /** The common prefix of its routes, with the server's address. */
  readonly address: string;
  readonly id: string;
  readonly key: string;
}

/** A run of `stoa sync`, with its report. */
export interface SyncRun extends Measured {
  readonly report: Readonly<Record<string, unknown>>;
}

/** `stoa watch` on a folder. */
export interface RunningWatch {
  readonly pid: number;
  /** The time from its start until both sides were in sync. */
  readonly startSeconds: number;
  readonly end: () => Promise<void>;
}

export type BareMode = 'down' | 'up' | 'hash' | 'move' | 'pages';

/** A server, and the CLI as a program on folders that are linked to its workspaces. */
export interface SyncDesk extends AsyncDisposable {
  readonly stoa: StoaSide;
  readonly origin: string;
  readonly makeWorkspace: () => Promise<DeskWorkspace>;
  /** Creates and links a folder with the files of a tree, or an empty one. */
  readonly link: (workspace: DeskWorkspace, tree: Tree | null, origin?: string) => Promise<string>;
  readonly sync: (folder: string, expect?: readonly number[]) => Promise<SyncRun>;
  readonly watch: (folder: string) => Promise<RunningWatch>;
  /** Returns the command of the CLI with the environment of a workspace. */
  readonly commandFor: (workspace: DeskWorkspace) => StoaCommand;
  readonly bare: (
    mode: BareMode,
    workspace: DeskWorkspace,
    folder: string,
    lines: readonly string[],
  ) => Promise<Measured>;
  /** An empty directory of this run. */
  readonly makeFolder: (name: string) => Promise<string>;
  readonly remove: (folder: string) => Promise<void>;
}

export interface StoaCommand {
  readonly command: string;
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** @param variables settings of the server. */
export async function openSyncDesk(
  bench: Bench,
  variables: Readonly<Record<string, string>> = {},
): Promise<SyncDesk> {
  const { workbench, profile } = bench;
  const stoa = await bench.startStoa(variables);
  const origin = `http://127.0.0.1:${stoa.port}`;
  const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const program = await unpackCli(workbench);
  const stoaWords = (words: readonly string[]) => [...flags, program, ...words];
  const lists = await workbench.directory('lists');
  let listed = 0;
  return {
    stoa,
    origin,
    async makeWorkspace() {
      const root = await stoa.createWorkspace();
      const id = root.split('/').at(-1) ?? '';
      return { address: `${origin}${root}`, id, key: await stoa.createScopedKey(id) };
    },
    async link(workspace, tree, at = origin) {
      const folder = await workbench.directory('folder');
      if (tree !== null) await run('cp', ['-a', `${tree.folder}/.`, folder]);
      await mkdir(join(folder, '.stoa'), { mode: 0o700 });
      const config = {
        api_base: at,
        workspace_id: workspace.id,
        api_key_id: null,
        api_key: workspace.key,
        allow_http: true,
      };
      await writeFile(join(folder, '.stoa', 'config.json'), JSON.stringify(config), { mode: 0o600 });
      return folder;
    },
    async sync(folder, expect = [0]) {
      const words = stoaWords(['-C', folder, 'sync', '--json']);
      const measured = await runMeasured(workbench, { command: process.execPath, words, expect });
      return { ...measured, report: recordOf(JSON.parse(measured.stdout)) };
    },
    async watch(folder) {
      const startedAt = performance.now();
      const child = spawn(process.execPath, stoaWords(['-C', folder, 'watch', '--json']), {
        env: plainEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      workbench.keep(child);
      await untilInSync(child);
      const { pid } = child;
      if (pid === undefined) throw new Error('stoa watch did not start');
      const startSeconds = (performance.now() - startedAt) / 1000;
      return { pid, startSeconds, end: () => workbench.end(child) };
    },
    commandFor: (workspace) => ({
      command: process.execPath,
      words: stoaWords([]),
      variables: { STOA_URL: origin, STOA_KEY: workspace.key },
    }),
    async bare(mode, workspace, folder, lines) {
      listed += 1;
      const list = join(lists, `${listed}.txt`);
      await writeFile(list, lines.map((one) => `${one}\n`).join(''));
      return runMeasured(workbench, {
        command: process.execPath,
        words: [control, mode, workspace.address, folder, list],
        variables: { BENCH_KEY: workspace.key },
      });
    },
    makeFolder: (name) => workbench.directory(name),
    remove: (folder) => rm(folder, { recursive: true, force: true }),
    [Symbol.asyncDispose]: () => stoa[Symbol.asyncDispose](),
  };
}

/** Unpacks the CLI as users install it. */
export async function unpackCli(workbench: Workbench): Promise<string> {
  await buildCli();
  const location = await workbench.directory('stoa-cli');
  await run('tar', ['-xzf', join(cliBuildLocation, cliPackageName), '-C', location]);
  return join(location, 'package', 'bin', 'stoa.js');
}

/** Waits for the first sync. @throws with its output when it ends before that, or takes too long. */
async function untilInSync(child: ChildProcess): Promise<void> {
  let reported = '';
  let failed = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    failed = (failed + chunk.toString('utf8')).slice(-5000);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const give = (what: string) => reject(new Error(`stoa watch ${what}:\n${reported}\n${failed}`));
  const timer = setTimeout(() => give('took too long'), watchStartMs);
  child.stdout?.on('data', (chunk: Buffer) => {
    reported = (reported + chunk.toString('utf8')).slice(-5000);
    if (reported.includes('"event":"in_sync"')) resolve();
  });
  void once(child, 'exit').then(() => give('ended'));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
