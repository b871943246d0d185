// docs/decisions/0093-a-disk-with-other-names-is-met-anew.md
import {
  type BaseFile,
  type ContentHash,
  foldersAbove,
  type Hold,
  type LeftOutReason,
  type NameTraits,
  type ObjectId,
  type Stamp,
  type UploadsWait,
  type WorkspacePath,
} from '@stoa/core';
import { Memory } from './memory.ts';
import { FolderView } from './observe/folder-view.ts';
import { Settling } from './observe/settling.ts';
import type { DiskPath, DiskTraits, LocalFolder, TrashedFile } from './ports/local-folder.ts';
import type { OnStep, Pace } from './ports/pace.ts';
import type { RemoteWorkspace, WorkspaceFacts } from './ports/remote-workspace.ts';
import { type StateChange, type StateStore, StateWriteError } from './ports/state-store.ts';
import { distrusted } from './stamps.ts';
import { Storms } from './storms.ts';
import { waitWithUploads } from './uploads-wait.ts';
import { withPatience } from './with-patience.ts';

export interface EngineSettings {
  /** Null: never held for their number or share. */
  readonly maxDeletes: number | null;
  readonly merge: 'off' | 'clean';
  /** Labels names made here until the feed has told what the key is called. */
  readonly label: string;
  /** Left out where nobody said which key it is. */
  readonly keyId?: string;
  /** How long a server that fails is tried again in one pass. */
  readonly patienceMs: number;
  /** How long and how much the trash keeps; as core says where it is left out. */
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
  /** Ends the pass: nothing new begins, and what is being sent or fetched has some time left. */
  readonly signal: AbortSignal;
}

/** What was done, as it is done. */
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
  | { readonly event: 'left_out'; readonly path: string; readonly reason: LeftOutReason }
  | { readonly event: 'held'; readonly kind: Hold['kind']; readonly count: number }
  /** Before a plan is carried out: what it will send and fetch, as far as sizes are known. */
  | { readonly event: 'planned'; readonly up: number; readonly down: number; readonly bytes: number }
  | { readonly event: 'retry'; readonly message: string; readonly pauseMs: number };

export interface Waiting {
  readonly reason: LeftOutReason;
  readonly detail: string | null;
  /** When it is tried again, by `Pace.now`: null: in the next pass. */
  readonly dueAt: number | null;
  /** The same for people, in milliseconds since the epoch. */
  readonly retryAt: number | null;
}

/** A folder kept the same as a workspace, while one process works on it. */
export interface Engine extends EngineDeps {
  readonly memory: Memory;
  readonly traits: DiskTraits;
  /** Of the workspace, as last asked for. */
  facts: WorkspaceFacts;
  /** Own changes since the feed was last read to its head: until it tells of them, older records may speak of the paths. */
  readonly fenced: Set<WorkspacePath>;
  /** Versions that were stored by this folder, until the feed has told of them. */
  readonly sent: Map<WorkspacePath, number>;
  /**
   * Paths of own changes that succeeded. A feed that was read to its head and does not tell of them is that of a server
   * that went back in time since.
   */
  readonly untold: Set<WorkspacePath>;
  /** Stamps of files that were just written when they were read. */
  readonly recent: Set<Stamp>;
  /** Paths that a request or the disk refused: not planned until then, or in this pass if it is null. */
  readonly waiting: Map<WorkspacePath, Waiting>;
  /** Tries in a row that failed for one reason, of paths that are tried again by time. */
  readonly failedTries: Map<WorkspacePath, { readonly reason: LeftOutReason; readonly tries: number }>;
  /** Files of the base that a loss of power could still take. */
  readonly unflushed: Set<WorkspacePath>;
  /** After the machine stopped under a running process: bytes that are not believed, whatever their stamps say. */
  readonly suspects: Set<WorkspacePath>;
  readonly bootId: string | null;
  /** The machine stopped under a running process, and no pass has brought both sides together since. */
  lostPower: boolean;
  /** What was replaced lately, and may still be written by whoever holds it open. */
  readonly displaced: {
    readonly path: WorkspacePath;
    readonly trashed: TrashedFile;
    /** Of its row in the trash. */
    readonly trashId: string;
    readonly at: number;
  }[];
  /** Why nothing new is sent now, how often that was asked again, and when it is next, by `Pace.now`. */
  uploadsWait: { readonly reason: UploadsWait; readonly asked: number; dueAt: number } | null;
  /** Places that the server refused once in this pass, because of something that the feed may tell of. */
  readonly refusedPlaces: Set<WorkspacePath>;
  /** Paths that were not found once in this pass, although the feed had told of them. */
  readonly missed: Set<WorkspacePath>;
  /** Of the plan in hand: what was written down of each file that is to be made here, by its path. */
  readonly creating: Map<WorkspacePath, string>;
  /** Ends the requests of the plan in hand: a while after `signal`. */
  transfers: AbortSignal;
  /** Of the contents that the plan in hand fetches: a file in sync that has it. */
  contentsHere: ReadonlyMap<ContentHash, WorkspacePath>;
  readonly settling: Settling;
  readonly storms: Storms;
  /** When the server's list was last compared, by `Pace.now`. */
  auditedAt: number;
  /** The folder as it was last read. */
  readonly view: FolderView;
  /** Of the folders that the last scan saw. */
  readonly folderObjects: Map<WorkspacePath, ObjectId | null>;
  /** How the disk spells folders, where that is not the workspace's spelling. */
  readonly spellings: Map<WorkspacePath, DiskPath>;
  /** Files that the last scan found under another spelling than the base has of them. */
  readonly respelled: Map<WorkspacePath, DiskPath>;
}

/** Asks the server for the workspace, and the disk for what it does to names. */
export async function openEngine(deps: EngineDeps): Promise<Engine> {
  const memory = new Memory(await deps.store.load(), deps.store);
  const facts = await withPatience(deps, () => deps.remote.readFacts(deps.signal));
  const { root, bootId } = await deps.folder.readIdentity();
  const { meta } = memory.state;
  const traits = meta.root === root && meta.traits !== null ? meta.traits : await deps.folder.probe();
  deps.folder.takeTraits(traits);
  // Another disk may show fewer names than there were files: what it cannot show is not missing.
  const isOtherDisk = meta.traits !== null && !isSameNaming(meta.traits.names, traits.names);
  const lostPower = meta.bootId !== null && meta.bootId !== bootId && !meta.endedCleanly;
  const { base, hashCache } = memory.state;
  // The disk may have kept a stamp and lost the bytes: what was read before says nothing of them now.
  const forgotten = (lostPower ? [...hashCache.keys()] : []).map(
    (path): StateChange => ({ table: 'hash_cache', path, row: null }),
  );
  const notFlushed = [...base].flatMap(([path, row]) => (row.isFlushed ? [] : [path]));
  await memory.commit(
    [
      {
        table: 'meta',
        // Known before anything is done: a machine that stops before both sides were alike once is noticed, too.
        values: {
          root,
          traits,
          workspaceId: facts.workspaceId,
          bootId: meta.bootId ?? bootId,
          // Which changes the feed had not told of yet went with the process: the list says whether they are there.
          ...(meta.hasUntold ? { lastAuditAt: null } : {}),
          ...(isOtherDisk ? { phase: null } : {}),
        },
      },
      ...forgotten,
    ],
    'grouped',
  );
  const waiting = new Map<WorkspacePath, Waiting>();
  const engine: Engine = {
    ...deps,
    memory,
    traits,
    facts,
    fenced: new Set(),
    sent: new Map(),
    untold: new Set(),
    recent: new Set(),
    waiting,
    failedTries: new Map(),
    unflushed: new Set(notFlushed),
    bootId,
    suspects: new Set(lostPower ? base.keys() : []),
    lostPower,
    displaced: [],
    uploadsWait: null,
    refusedPlaces: new Set(),
    missed: new Set(),
    creating: new Map(),
    contentsHere: new Map(),
    transfers: deps.signal,
    settling: new Settling(),
    storms: new Storms(),
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

/** The process ends by itself: what it leaves is not doubted when the machine stops afterwards. */
export async function endCleanly({ memory, store, lostPower }: Engine): Promise<void> {
  if (lostPower) return;
  try {
    await memory.commit([{ table: 'meta', values: { endedCleanly: true } }], 'grouped');
    await store.flush();
  } catch (error) {
    // What cannot be written down is doubted at the next start, as it should be.
    if (!(error instanceof StateWriteError)) throw error;
  }
}

/** What this folder's key is called, for names that are made here: as the server would name them. */
export function ownLabel({ memory, settings }: Engine): string {
  const { keyId, keyName } = memory.state.meta;
  const isAnother = settings.keyId !== undefined && settings.keyId !== keyId;
  return keyName === null || isAnother ? settings.label : keyName;
}

/** The path on the disk for a path of the workspace: known files and folders keep the disk's spelling. */
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
