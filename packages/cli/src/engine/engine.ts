// A folder on another disk is compared like a new one: names that the disk cannot hold must not count as deletes.
import {
  type BaseFile,
  type ContentHash,
  foldersAbove,
  type Hold,
  isHiddenPath,
  type NameTraits,
  type ObjectId,
  type SkipReason,
  type Stamp,
  type UploadsWait,
  type WorkspacePath,
} from '@stoa/core';
import { EditLoops } from './edit-loops.ts';
import { Memory } from './memory.ts';
import { FolderView } from './observe/folder-view.ts';
import { Settling } from './observe/settling.ts';
import type { DiskPath, DiskTraits, LocalFolder, TrashedFile } from './ports/local-folder.ts';
import type { OnStep, Pace } from './ports/pace.ts';
import type { RemoteWorkspace, WorkspaceFacts } from './ports/remote-workspace.ts';
import { type StateChange, type StateStore, StateWriteError } from './ports/state-store.ts';
import { rediscovered } from './rediscovered.ts';
import { distrusted } from './stamps.ts';
import { waitWithUploads } from './uploads-wait.ts';
import { withRetryBudget } from './with-retry-budget.ts';

export interface EngineSettings {
  /** More changes of one kind in a pass need confirmation. */
  readonly maxChanges: number;
  readonly merge: 'off' | 'clean';
  /** Label for names made here until the feed gives the name of the key. */
  readonly label: string;
  /** Missing if the id of the key is unknown. */
  readonly keyId?: string;
  /** Time for which one pass retries requests to a failing server. */
  readonly retryBudgetMs: number;
  /** Limits of the trash in days and bytes; the defaults of core if missing. */
  readonly trashDays?: number;
  readonly trashBytesMax?: number;
}

export interface EngineDeps {
  readonly folder: LocalFolder;
  readonly remote: RemoteWorkspace;
  readonly store: StateStore;
  readonly pace: Pace;
  readonly settings: EngineSettings;
  readonly onStep: OnStep;
  readonly onEvent: (event: SyncEvent) => void;
  /** Ends the pass: nothing new begins, and running transfers get some time to finish. */
  readonly signal: AbortSignal;
}

/** Completed operations, reported one by one. */
export type SyncEvent =
  | {
      readonly event: 'up' | 'down' | 'deleted_there' | 'rescued';
      readonly path: WorkspacePath;
      readonly version: number | null;
      readonly bytes: number | null;
    }
  | {
      readonly event: 'deleted_here';
      readonly path: WorkspacePath;
      readonly version: null;
      readonly bytes: number | null;
      /** `made_private`: nothing of it is kept here. */
      readonly why: 'deleted_there' | 'made_private';
    }
  | { readonly event: 'moved'; readonly path: WorkspacePath; readonly from: WorkspacePath }
  | { readonly event: 'conflict'; readonly path: WorkspacePath; readonly copy: WorkspacePath }
  | {
      readonly event: 'left_out';
      readonly path: string;
      readonly reason: SkipReason;
      /** Time of the next try in milliseconds since the epoch; null: only after a change. */
      readonly retryAt: number | null;
    }
  | { readonly event: 'held'; readonly kind: Hold['kind']; readonly count: number }
  /** Sent before a plan is executed: the expected transfers, as far as sizes are known. */
  | { readonly event: 'planned'; readonly up: number; readonly down: number; readonly bytes: number }
  | { readonly event: 'retry'; readonly message: string; readonly pauseMs: number };

export interface Waiting {
  readonly reason: SkipReason;
  readonly detail: string | null;
  /** Time of the next try by `Pace.now`; null: in the next pass. */
  readonly dueAt: number | null;
  /** The same time for display, in milliseconds since the epoch. */
  readonly retryAt: number | null;
}

/** State for syncing a folder with a workspace in one process. */
export interface Engine extends EngineDeps {
  readonly memory: Memory;
  readonly traits: DiskTraits;
  /** Last known facts of the workspace. */
  facts: WorkspaceFacts;
  /**
   * Paths of own changes since the feed was last read to its head. Until the feed reports these changes, it may return
   * older records of the paths.
   */
  readonly awaitingEcho: Set<WorkspacePath>;
  /** Versions stored by this folder that the feed has not reported yet. */
  readonly sent: Map<WorkspacePath, number>;
  /**
   * Paths of own successful changes that the feed has not reported yet. If a feed read to its head does not report
   * them, the server was restored to an earlier state.
   */
  readonly unconfirmed: Set<WorkspacePath>;
  /** Stamps of files that had just been written when they were read. */
  readonly recent: Set<Stamp>;
  /**
   * Paths rejected by a request or by the disk. They are not planned before `dueAt`; if that is null, not in this pass.
   */
  readonly waiting: Map<WorkspacePath, Waiting>;
  /** Consecutive tries that failed for the same reason, for paths that are retried by time. */
  readonly failedTries: Map<WorkspacePath, { readonly reason: SkipReason; readonly tries: number }>;
  /** Files of the base that a power failure could still destroy. */
  readonly unflushed: Set<WorkspacePath>;
  /**
   * Files to verify after the machine stopped while the process ran. Their bytes are not trusted, whatever their stamps
   * are.
   */
  readonly untrusted: Set<WorkspacePath>;
  readonly bootId: string | null;
  /** The machine stopped while the process ran, and no pass has completed since. */
  lostPower: boolean;
  /** Recently replaced files. Another process may hold them open and still write to them. */
  readonly replacedFiles: {
    readonly path: WorkspacePath;
    readonly trashed: TrashedFile;
    /** Id of its row in the trash. */
    readonly trashId: string;
    readonly at: number;
  }[];
  /**
   * Why nothing new is sent now, how often the server was asked again, and the time of the next check by `Pace.now`.
   */
  uploadsWait: { readonly reason: UploadsWait; readonly asked: number; dueAt: number } | null;
  /** Paths that the server rejected once in this pass, for a reason that the feed may explain. */
  readonly rejectedPaths: Set<WorkspacePath>;
  /** Paths that were not found once in this pass, although the feed has them. */
  readonly missed: Set<WorkspacePath>;
  /** Intent ids of the current plan by path, for files to be created here. */
  readonly creating: Map<WorkspacePath, string>;
  /** Aborts the requests of the current plan, some time after `signal`. */
  transfers: AbortSignal;
  /** Files in sync that already have a content which the current plan downloads. */
  contentsHere: ReadonlyMap<ContentHash, WorkspacePath>;
  /** Files of both sides that another user's rules would ignore if this user accepts them. */
  newlyIgnored: ReadonlySet<WorkspacePath>;
  /** Local names of synced files and folders that only unaccepted rules of other users ignore. */
  movedToIgnored: ReadonlySet<WorkspacePath>;
  readonly settling: Settling;
  readonly editLoops: EditLoops;
  /** When the server's list was last compared, by `Pace.now`. */
  auditedAt: number;
  /** The folder as last scanned. */
  readonly view: FolderView;
  /** Object ids of the folders in the last scan. */
  readonly folderObjects: Map<WorkspacePath, ObjectId | null>;
  /** Disk paths of folders, where they are not the same as in the workspace. */
  readonly spellings: Map<WorkspacePath, DiskPath>;
  /** Files whose disk path in the last scan differs from the one in the base. */
  readonly respelled: Map<WorkspacePath, DiskPath>;
}

/** Creates the engine. Reads the workspace from the server and the naming rules of the disk. */
export async function openEngine(deps: EngineDeps): Promise<Engine> {
  const memory = new Memory(await deps.store.load(), deps.store);
  const facts = await withRetryBudget(deps, () => deps.remote.readFacts(deps.signal));
  const { root, bootId } = await deps.folder.readIdentity();
  const { meta } = memory.state;
  const traits = meta.root === root && meta.traits !== null ? meta.traits : await deps.folder.probe();
  deps.folder.takeTraits(traits);
  // Another disk may not be able to hold all names. Files that it cannot show are not missing.
  const isOtherDisk = meta.traits !== null && !isSameNaming(meta.traits.names, traits.names);
  const lostPower = meta.bootId !== null && meta.bootId !== bootId && !meta.endedCleanly;
  const { base, hashCache } = memory.state;
  // The disk may have kept a stamp and lost the bytes, so cached hashes are no longer valid.
  const forgotten = (lostPower ? [...hashCache.keys()] : []).map(
    (path): StateChange => ({ table: 'hash_cache', path, row: null }),
  );
  // An older version of this program synced some of these names. They stay where they are, on both sides.
  const hidden = [...base].flatMap(([path, row]) =>
    isHiddenPath(path) ? rediscovered(memory, path, row) : [],
  );
  const notFlushed = [...base].flatMap(([path, row]) => (row.isFlushed ? [] : [path]));
  await memory.commit(
    [
      {
        table: 'meta',
        // Written first, so that a machine that stops before the first completed pass is also noticed.
        values: {
          root,
          traits,
          workspaceId: facts.workspaceId,
          bootId: meta.bootId ?? bootId,
          // The list of unconfirmed changes ended with the process. A comparison with the server's list finds them.
          ...(meta.hasUntold ? { lastAuditAt: null } : {}),
          ...(isOtherDisk ? { phase: null } : {}),
        },
      },
      ...forgotten,
      ...hidden,
    ],
    'grouped',
  );
  const waiting = new Map<WorkspacePath, Waiting>();
  const engine: Engine = {
    ...deps,
    memory,
    traits,
    facts,
    awaitingEcho: new Set(),
    sent: new Map(),
    unconfirmed: new Set(),
    recent: new Set(),
    waiting,
    failedTries: new Map(),
    unflushed: new Set(notFlushed),
    bootId,
    untrusted: new Set(lostPower ? base.keys() : []),
    lostPower,
    replacedFiles: [],
    uploadsWait: null,
    rejectedPaths: new Set(),
    missed: new Set(),
    creating: new Map(),
    contentsHere: new Map(),
    transfers: deps.signal,
    newlyIgnored: new Set(),
    movedToIgnored: new Set(),
    settling: new Settling(),
    editLoops: new EditLoops(),
    auditedAt: Number.NEGATIVE_INFINITY,
    view: new FolderView(),
    folderObjects: new Map(),
    spellings: new Map(),
    respelled: new Map(),
  };
  if (facts.isReadOnly) waitWithUploads(engine, 'read_only');
  return engine;
}

const isSameNaming = (one: NameTraits, other: NameTraits): boolean =>
  one.foldsCase === other.foldsCase && one.unicodeForm === other.unicodeForm && one.forbids === other.forbids;

/** Records that the process ends normally. If the machine stops afterwards, the files remain trusted. */
export async function endCleanly({ memory, store, lostPower }: Engine): Promise<void> {
  if (lostPower) return;
  try {
    await memory.commit([{ table: 'meta', values: { endedCleanly: true } }], 'grouped');
    await store.flush();
  } catch (error) {
    // Without the record, the next start distrusts the files, which is correct.
    if (!(error instanceof StateWriteError)) throw error;
  }
}

/** Label of this folder's key for names made here, the same that the server would use. */
export function ownLabel({ memory, settings }: Engine): string {
  const { keyId, keyName } = memory.state.meta;
  const isAnother = settings.keyId !== undefined && settings.keyId !== keyId;
  return keyName === null || isAnother ? settings.label : keyName;
}

/** Disk path of a workspace path. Known files and folders keep the name that the disk has. */
export function diskPathOf(engine: Engine, path: WorkspacePath): DiskPath {
  const known = engine.respelled.get(path) ?? engine.memory.state.base.get(path)?.localName;
  if (known != null) return known;
  for (const folder of foldersAbove(path).toReversed()) {
    const spelling = engine.spellings.get(folder);
    if (spelling !== undefined) return spelling + path.slice(folder.length);
  }
  return path;
}

export interface BaseFields {
  readonly version: number;
  readonly hash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
}

export interface HereFields {
  readonly stamp: Stamp;
  readonly object: ObjectId | null;
  readonly mode: number;
}

export function baseRow(
  engine: Engine,
  path: WorkspacePath,
  there: BaseFields,
  here: HereFields | null,
  isFlushed: boolean,
): BaseFile {
  const diskPath = here === null ? path : diskPathOf(engine, path);
  return {
    ...there,
    stamp: here === null ? null : engine.recent.has(here.stamp) ? distrusted(here.stamp) : here.stamp,
    object: here?.object ?? null,
    mode: here?.mode ?? 0,
    localName: diskPath === path ? null : diskPath,
    isFlushed,
  };
}
