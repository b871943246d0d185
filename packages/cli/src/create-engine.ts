import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createStoaClient } from '@stoa/client';
import {
  changesMax,
  hiddenFolderName,
  type ObjectId,
  type WorkspacePath,
  workspaceKeyName,
} from '@stoa/core';
import { namedSend } from './config/connect.ts';
import type { FolderConfig } from './config/folder-config.ts';
import { type Engine, endCleanly, openEngine, type SyncEvent } from './engine/engine.ts';
import type { IgnoreRules } from './engine/ports/ignore-rules.ts';
import type { LocalFolder } from './engine/ports/local-folder.ts';
import type { Pace } from './engine/ports/pace.ts';
import type { ListedFile } from './engine/ports/remote-workspace.ts';
import type { RequestBox, SyncRequest } from './engine/ports/request-box.ts';
import type { StateReader, StateStore } from './engine/ports/state-store.ts';
import { openLocalFolder } from './local/open-local-folder.ts';
import { raiseWatches, readWatchesMax } from './local/watch-limits.ts';
import { exitCodes } from './output/exit-codes.ts';
import { Failure } from './output/failure.ts';
import type { Host } from './output/host.ts';
import { openRemoteWorkspace } from './remote/open-remote-workspace.ts';
import { findStateDamage, quarantineState } from './state/check-state.ts';
import { isFolderLocked, takeFolderLock } from './state/lock.ts';
import { StateTooNewError } from './state/open-database.ts';
import { openStateStore } from './state/open-state-store.ts';
import { askWorkingProcess, openRequestBox } from './state/requests.ts';
import { openStateReader } from './state/state-reader.ts';

/** A folder whose lock this process holds. */
export interface OpenedFolder extends AsyncDisposable {
  readonly local: LocalFolder;
  readonly store: StateStore;
  /** Path of a damaged state that was quarantined; null without one. */
  readonly quarantinedPath: string | null;
}

export interface OpenedEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly quarantinedPath: string | null;
}

/**
 * Takes the folder's lock and opens the local adapters, without the server. Adapters are chosen in this file only.
 * @returns null while another process works on the folder
 */
export async function openFolder(folder: string): Promise<OpenedFolder | null> {
  const hidden = join(folder, hiddenFolderName);
  const lock = takeFolderLock(hidden);
  if (lock === null) return null;
  const cleanup = new AsyncDisposableStack();
  cleanup.defer(() => lock.release());
  try {
    const store = cleanup.use(inThisVersion(() => openStateStore(hidden)));
    const local = cleanup.use(openLocalFolder({ folder, wallNow: () => Date.now() }));
    const all = cleanup.move();
    return {
      local,
      store,
      quarantinedPath: store.quarantinedPath,
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

/** Opens a folder for a pass. @returns null while another process works on the folder */
export async function createEngine(
  host: Host,
  options: {
    readonly folder: string;
    readonly config: FolderConfig;
    /** Time for which one pass retries requests to a failing server. */
    readonly retryBudgetMs: number;
    readonly onEvent: (event: SyncEvent) => void;
    /** Called for each chunk of a file sent or received. Negative if a transfer starts over. */
    readonly onBytes: (path: WorkspacePath, bytes: number) => void;
  },
): Promise<OpenedEngine | null> {
  const { folder, config, retryBudgetMs, onEvent, onBytes } = options;
  const opened = await openFolder(folder);
  if (opened === null) return null;
  try {
    const client = createStoaClient({
      baseUrl: config.apiBase,
      apiKey: config.apiKey.reveal(),
      fetch: namedSend(host),
      // A stalled upload is aborted. The total time depends on the file size and the line.
      uploadTimeoutMs: null,
    });
    const engine = await openEngine({
      folder: opened.local,
      remote: openRemoteWorkspace({ client, workspaceId: config.workspaceId, onBytes }),
      store: opened.store,
      pace: enginePace(host),
      settings: {
        maxChanges: config.maxChanges ?? changesMax,
        merge: config.merge,
        label: workspaceKeyName,
        ...(config.apiKeyId === null ? {} : { keyId: config.apiKeyId }),
        ...(config.trashDays === null ? {} : { trashDays: config.trashDays }),
        ...(config.trashMaxBytes === null ? {} : { trashBytesMax: config.trashMaxBytes }),
        retryBudgetMs,
      },
      onStep: () => {},
      onEvent,
      signal: host.signal,
    });
    return {
      engine,
      quarantinedPath: opened.quarantinedPath,
      [Symbol.asyncDispose]: async () => {
        await endCleanly(engine);
        await opened[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Reads the state of a folder, also while another process works on it. Does not call `read` if there is no state yet.
 */
export async function readState<Result>(
  folder: string,
  read: (state: StateReader) => Promise<Result>,
): Promise<Result | null> {
  const state = inThisVersion(() => openStateReader(join(folder, hiddenFolderName)));
  if (state === null) return null;
  try {
    return await read(state);
  } finally {
    state[Symbol.dispose]();
  }
}

/** Reads the active rules from their files. */
export async function readIgnoreRules(folder: string): Promise<IgnoreRules> {
  const local = openLocalFolder({ folder, wallNow: () => Date.now() });
  try {
    return await local.readIgnoreRules();
  } finally {
    await local[Symbol.asyncDispose]();
  }
}

/** Facts about a folder that need neither the server nor the lock. */
export interface FolderFacts {
  /** The damage of the stored state; null if it is intact. */
  readonly damage: string | null;
  /** Identity of this folder in the file system. */
  readonly root: ObjectId;
  /** Unfinished downloads. They are leftovers if no process works on the folder. */
  readonly staged: readonly string[];
  /** Null if the system has no limit. */
  readonly watchesMax: number | null;
}

export async function readFolderFacts(folder: string): Promise<FolderFacts> {
  const local = openLocalFolder({ folder, wallNow: () => Date.now() });
  try {
    const { root } = await local.readIdentity();
    const damage = findStateDamage(join(folder, hiddenFolderName));
    return { damage, root, staged: await local.listStaged(), watchesMax: await readWatchesMax() };
  } finally {
    await local[Symbol.asyncDispose]();
  }
}

/** Quarantines the damaged state. @returns its new path, or null while another process works on the folder */
export function quarantineDamaged(folder: string): string | null {
  const hidden = join(folder, hiddenFolderName);
  const lock = takeFolderLock(hidden);
  if (lock === null) return null;
  try {
    return quarantineState(hidden);
  } finally {
    lock.release();
  }
}

/** All files of a workspace as its server lists them now. */
export async function listWorkspace(host: Host, config: FolderConfig): Promise<readonly ListedFile[]> {
  const { apiBase: baseUrl, apiKey, workspaceId } = config;
  const client = createStoaClient({ baseUrl, apiKey: apiKey.reveal(), fetch: namedSend(host) });
  const { files } = await openRemoteWorkspace({ client, workspaceId }).list('', host.signal);
  return files;
}

export { raiseWatches };

export function isWorkedOn(folder: string): boolean {
  return isFolderLocked(join(folder, hiddenFolderName));
}

/** Opens the requests of other processes to this one, which works on the folder. */
export function openRequests(folder: string): Promise<RequestBox> {
  return openRequestBox(join(folder, hiddenFolderName));
}

/** Sends a request to the process that works on the folder. @returns null if there is no response in time */
export function askOther(
  folder: string,
  request: SyncRequest,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<unknown> {
  return askWorkingProcess(join(folder, hiddenFolderName), request, limits);
}

function inThisVersion<Result>(open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof StateTooNewError)) throw error;
    throw new Failure({
      code: 'state_too_new',
      exit: exitCodes.noFolder,
      message: `${error.message}.`,
      next: 'Use that version, or install this one again from the server.',
      cause: error,
    });
  }
}

function enginePace({ pace }: Host): Pace {
  return {
    now: pace.now,
    wallNow: () => Date.now(),
    random: () => Math.random(),
    newId: () => randomUUID(),
    sleep: (ms, signal) => pace.sleep(ms, signal ?? new AbortController().signal),
  };
}
