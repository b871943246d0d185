import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createStoaClient } from '@stoa/client';
import { changesMax } from '@stoa/core';
import { createKey, signUp } from '../../../../tests/support/people.ts';
import { useTarget } from '../../../../tests/support/target.ts';
import { createWorkspace } from '../../../../tests/support/workspace-client.ts';
import { writeFolderConfig } from '../../src/config/folder-config.ts';
import { openEngine, type SyncEvent } from '../../src/engine/engine.ts';
import { type PassOptions, type PassOutcome, runPass } from '../../src/engine/run-pass.ts';
import { openLocalFolder } from '../../src/local/open-local-folder.ts';
import { openRemoteWorkspace } from '../../src/remote/open-remote-workspace.ts';
import { openStateStore } from '../../src/state/open-state-store.ts';
import { makeFolder } from '../support/temporary-folder.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');

/** Opens a workspace and any number of folders of one user. */
export async function useWorkspace() {
  const workspace = await createWorkspace(ada);
  return {
    workspace,
    async folder() {
      const location = await makeFolder();
      const key = await createKey(ada, { workspaceId: workspace.id, name: 'service-cli' });
      await writeFolderConfig(location.path, {
        api_base: server.url,
        workspace_id: workspace.id,
        api_key_id: key.id,
        api_key: key.secret,
      });
      return new RealFolder(location, key.secret, workspace.id);
    },
  };
}

export class RealFolder implements AsyncDisposable {
  readonly path: string;
  readonly events: SyncEvent[] = [];
  readonly #location: AsyncDisposable;
  readonly #key: string;
  readonly #workspaceId: string;

  constructor(location: AsyncDisposable & { path: string }, key: string, workspaceId: string) {
    this.path = location.path;
    this.#location = location;
    this.#key = key;
    this.#workspaceId = workspaceId;
  }

  /** Runs one sync with its own store and folder, as `stoa sync` does in a new process. */
  async sync(
    options: Partial<PassOptions> = {},
    onStep: (name: string) => void = () => {},
  ): Promise<PassOutcome> {
    await using store = openStateStore(join(this.path, '.stoa'));
    await using folder = openLocalFolder({ folder: this.path, wallNow: Date.now, onStep });
    const client = createStoaClient({ baseUrl: server.url, apiKey: this.#key });
    const engine = await openEngine({
      folder,
      remote: openRemoteWorkspace({ client, workspaceId: this.#workspaceId }),
      store,
      pace: {
        now: () => performance.now(),
        wallNow: Date.now,
        random: Math.random,
        newId: () => randomUUID(),
        sleep: async () => {},
      },
      settings: { maxChanges: changesMax, merge: 'off', label: 'service-cli', retryBudgetMs: 5000 },
      onStep,
      onEvent: (event) => this.events.push(event),
      signal: new AbortController().signal,
    });
    return await runPass(engine, { pending: 'keep', isDryRun: false, isSettling: true, ...options });
  }

  /** Accepts the shared rules, as `stoa ignore accept` does. */
  async acceptRules(): Promise<void> {
    await using store = openStateStore(join(this.path, '.stoa'));
    await using folder = openLocalFolder({ folder: this.path, wallNow: Date.now });
    const { shared } = (await folder.readIgnoreRules()).texts;
    await store.commit([{ table: 'meta', values: { acceptedIgnore: shared ?? '' } }], 'durable');
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.path, path)), { recursive: true });
    await writeFile(join(this.path, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.path, path), 'utf8');
  }

  remove(path: string): Promise<void> {
    return rm(join(this.path, path), { recursive: true });
  }

  async rename(from: string, to: string): Promise<void> {
    await mkdir(dirname(join(this.path, to)), { recursive: true });
    await rename(join(this.path, from), join(this.path, to));
  }

  /** Returns all files with their texts, and empty folders as `name/`. */
  async contents(): Promise<Record<string, string>> {
    const found: [string, string][] = [];
    for (const entry of await readdir(this.path, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(this.path.length + 1);
      if (path.startsWith('.stoa')) continue;
      if (entry.isFile()) found.push([path, await this.read(path)]);
      else if ((await readdir(join(this.path, path))).length === 0) found.push([`${path}/`, '']);
    }
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#location[Symbol.asyncDispose]();
  }
}

/** Syncs each folder in order until no sync does anything. */
export async function untilQuiet(...folders: readonly RealFolder[]): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const outcomes: PassOutcome[] = [];
    for (const folder of folders) outcomes.push(await folder.sync());
    const isQuiet = outcomes.every(
      ({ up, down, moved, deletedHere, deletedThere, conflicts, isInSync }) =>
        isInSync && up + down + moved + deletedHere + deletedThere + conflicts.length === 0,
    );
    if (isQuiet) return;
  }
  assert.fail('the folders are not in sync after ten rounds');
}
