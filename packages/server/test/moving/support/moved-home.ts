import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AdminTarget } from '../../../src/admin/command.ts';
import { runAdmin } from '../../../src/admin/run-admin.ts';
import { type Config, parseConfig } from '../../../src/config/parse-config.ts';
import { createOperatorDeps, holdDatabase, isInstalled, openBlobs } from '../../../src/create-deps.ts';
import { rejectMoved } from '../../../src/start/reject-moved.ts';
import { openTemporaryStore } from '../../storage/support/open-temporary-store.ts';

const fixture = join(import.meta.dirname, '../../../../../tests/upgrade/fixtures/0.1.0/sqlite-disk/data');

export const listeners = {
  onFatal: (error: unknown) => assert.fail(String(error)),
  reportProblem: () => {},
};

export type Settings = Readonly<Record<string, string>>;

/** A folder for installations, which goes with the test. */
export async function homesFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stoa-moving-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
    /** The data of 0.1.0, migrated to the current schema. */
    async filled(name: string): Promise<Settings> {
      const dataDir = join(path, name);
      await cp(fixture, dataDir, { recursive: true });
      await (await openTemporaryStore(dataDir))[Symbol.asyncDispose]();
      return { STOA_DATA_DIR: dataDir };
    },
    clearContents: ({ STOA_DATA_DIR = '' }: Settings) =>
      rm(join(STOA_DATA_DIR, 'blobs'), { recursive: true, force: true }),
    empty: (name: string): Settings => ({ STOA_DATA_DIR: join(path, name) }),
    async file(name: string, settings: Settings): Promise<string> {
      const file = join(path, `${name}.env`);
      await writeFile(
        file,
        Object.entries(settings)
          .map(([key, value]) => `${key}='${value}'\n`)
          .join(''),
      );
      return file;
    },
  };
}

export function targetOf(config: Config): AdminTarget {
  return {
    config,
    openBlobs: () => openBlobs(config, listeners),
    isInstalled: () => isInstalled(config),
    holdDatabase: (expect) => holdDatabase(config, expect),
    elsewhere: (given) => targetOf(parseConfig(given)),
  };
}

/** Runs an operator command with these settings in this process. */
export async function admin(settings: Settings, ...args: readonly string[]) {
  const config = parseConfig(settings);
  let [out, err] = ['', ''];
  const steps: string[] = [];
  const open = async () => {
    const deps = await createOperatorDeps(config, listeners);
    const { service, openWordIndex } = deps;
    return {
      service,
      openWordIndex,
      openBlobs: deps.openBlobs,
      config,
      hashPassword: async () => '',
      [Symbol.asyncDispose]: () => deps[Symbol.asyncDispose](),
    };
  };
  const code = await runAdmin(
    {
      open,
      target: () => targetOf(config),
      readInput: async () => '',
      progress: (step) => steps.push(step),
      ask: async () => null,
      print: (line) => {
        out += `${line}\n`;
      },
      complain: (line) => {
        err += `${line}\n`;
      },
    },
    args,
  );
  return { code, out, err, steps };
}

/** The reason why a move keeps the service from starting there, or null. */
export async function startProblem(settings: Settings): Promise<string | null> {
  await using deps = await createOperatorDeps(parseConfig(settings), listeners);
  try {
    await rejectMoved(deps.service);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function changeRows({ STOA_DATA_DIR = '' }: Settings, statement: string): void {
  using database = new DatabaseSync(join(STOA_DATA_DIR, 'stoa.db'));
  database.exec(statement);
}

export function rowsOf({ STOA_DATA_DIR = '' }: Settings, statement: string) {
  using database = new DatabaseSync(join(STOA_DATA_DIR, 'stoa.db'), { readOnly: true });
  return database.prepare(statement).all();
}
