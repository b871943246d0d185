import type {
  BaseFile,
  BaseFolder,
  ContentHash,
  HoldKind,
  HoldMember,
  LeftOut,
  ObjectId,
  RemoteState,
  Stamp,
  WorkspacePath,
} from '@stoa/core';
import type { DiskPath, DiskTraits, TrashName } from './local-folder.ts';

/** One of each folder. What is not known yet is null. */
export interface SyncMeta {
  readonly workspaceId: string | null;
  /** Of the key whose name was learned, where it is known which that is. */
  readonly keyId: string | null;
  /** As the feed shows what this folder wrote. */
  readonly keyName: string | null;
  readonly cursor: number;
  /** The newest record that was applied: if the server has another there, it went back in time. */
  readonly lastRecord: { readonly seq: number; readonly id: string } | null;
  /** Null before the first contact has begun. */
  readonly phase: 'first_contact' | 'live' | null;
  readonly root: ObjectId | null;
  readonly bootId: string | null;
  /** Set at a tidy end, cleared at each start. */
  readonly endedCleanly: boolean;
  /** Changes were sent that the feed was not read after. */
  readonly hasUntold: boolean;
  readonly traits: DiskTraits | null;
  /** Milliseconds since the epoch: when a list was last compared, when the server last answered, last commit. */
  readonly lastAuditAt: number | null;
  readonly lastContactAt: number | null;
  readonly lastCommitAt: number | null;
  /** Since the oldest file of the trash went there; by `from`, but where the clock was put back. */
  readonly clockGaps: readonly ClockGap[];
  /** `.stoaignore` as this folder's user last accepted it. */
  readonly acceptedIgnore: string | null;
  /** The process that last worked here. It still does while the lock is held. */
  readonly worker: { readonly pid: number; readonly mode: 'once' | 'events' | 'polling' } | null;
}

/**
 * A stretch of the machine's clock that nobody here saw pass: the program did not run, or the clock jumped. Which of them it was
 * cannot be told, so that no more than `trashGapMsMax` of it counts.
 */
export interface ClockGap {
  readonly from: number;
  readonly to: number;
}

export const emptyMeta: SyncMeta = {
  workspaceId: null,
  keyId: null,
  keyName: null,
  cursor: 0,
  lastRecord: null,
  phase: null,
  root: null,
  bootId: null,
  endedCleanly: false,
  hasUntold: false,
  traits: null,
  lastAuditAt: null,
  lastContactAt: null,
  lastCommitAt: null,
  clockGaps: [],
  acceptedIgnore: null,
  worker: null,
};

/** A local file that differs from the base, so that it need not be hashed at each start. */
export interface CachedHash {
  readonly stamp: Stamp;
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

export const intentKinds = [
  'put',
  'delete',
  'move',
  'replace',
  'create',
  'remove',
  'rename',
  'conflict',
] as const;

/** A thing begun and not known to be finished. Which fields it has follows from its kind; the others are null. */
export interface Intent {
  readonly id: string;
  readonly kind: (typeof intentKinds)[number];
  readonly path: WorkspacePath;
  readonly toPath: WorkspacePath | null;
  /** Of the precondition: null where nothing was presumed to be there. */
  readonly version: number | null;
  /** What is sent, or wanted here. */
  readonly hash: ContentHash | null;
  /** Of what was planned with here. */
  readonly stamp: Stamp | null;
  /** The id in staging. */
  readonly staging: string | null;
  /** The cursor when it began: its record in the feed is after it. */
  readonly seq0: number;
  /** The last step that is known to be taken. */
  readonly step: string;
  /** Where the server kept the bytes that lost. */
  readonly copyPath: WorkspacePath | null;
}

export interface FolderMove {
  readonly id: string;
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  /** Files that are still to be moved. */
  readonly left: number;
}

/** `since` and `retryAt` in milliseconds since the epoch; null: not tried again by time. */
export interface LeftOutRow extends LeftOut {
  readonly since: number;
  readonly retryAt: number | null;
}

export interface HoldRow {
  readonly id: string;
  readonly kind: HoldKind;
  readonly members: readonly HoldMember[];
  readonly since: number;
  /** A person let it through, and it is not done yet. */
  readonly isConfirmed: boolean;
}

export interface ConflictRow {
  readonly copyPath: WorkspacePath;
  readonly ofPath: WorkspacePath;
  /** What both sides had, where the copy was made from here. */
  readonly base: { readonly version: number; readonly hash: ContentHash } | null;
}

export type TrashWhy = 'replaced' | 'deleted_there' | 'damaged' | 'merged' | 'held_undone';

export interface TrashRow {
  readonly id: string;
  readonly path: WorkspacePath;
  readonly hash: ContentHash | null;
  readonly sizeBytes: number;
  readonly why: TrashWhy;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly file: TrashName;
}

export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `up`, `down`, `moved`, `deleted_here`, `deleted_there`, `conflict`, …: what `stoa log` shows. */
  readonly op: string;
  readonly path: string;
  readonly version: number | null;
  readonly bytes: number | null;
  readonly ms: number | null;
  /** `done`, why not, or where a text that lost is kept. */
  readonly outcome: string;
}

/** As read. Ids grow. */
export interface LogRow extends LogEntry {
  readonly id: number;
}

/** All that the engine keeps in memory, as last committed. */
export interface StoredState {
  readonly meta: SyncMeta;
  readonly base: Map<WorkspacePath, BaseFile>;
  readonly folders: Map<WorkspacePath, BaseFolder>;
  /** Paths whose remote state differs from the base. */
  readonly remote: Map<WorkspacePath, RemoteState>;
  /** Made private, not worked off yet: seq of the record by path of the file or folder. */
  readonly revoked: Map<WorkspacePath, number>;
  readonly hashCache: Map<DiskPath, CachedHash>;
  readonly intents: Map<string, Intent>;
  readonly folderMoves: Map<string, FolderMove>;
  readonly leftOut: Map<string, LeftOutRow>;
  readonly holds: Map<string, HoldRow>;
  readonly conflicts: Map<WorkspacePath, ConflictRow>;
}
