import type {
  BaseFile,
  BaseFolder,
  ContentHash,
  HoldKind,
  HoldMember,
  ObjectId,
  RemoteState,
  SkippedPath,
  Stamp,
  WorkspacePath,
} from '@stoa/core';
import type { DiskPath, DiskTraits, TrashName } from './local-folder.ts';

/** One row per folder. Unknown values are null. */
export interface SyncMeta {
  readonly workspaceId: string | null;
  /** Id of the key whose name is known, if it is known which key that is. */
  readonly keyId: string | null;
  /** Name under which the feed shows this folder's changes. */
  readonly keyName: string | null;
  readonly cursor: number;
  /** The newest applied record. If the server has another one at that number, it was restored to an earlier state. */
  readonly lastRecord: { readonly seq: number; readonly id: string } | null;
  /** Null before the first contact begins. */
  readonly phase: 'first_contact' | 'live' | null;
  readonly root: ObjectId | null;
  readonly bootId: string | null;
  /** Set at a clean end, cleared at each start. */
  readonly endedCleanly: boolean;
  /** Changes were sent after the last read of the feed. */
  readonly hasUntold: boolean;
  readonly traits: DiskTraits | null;
  /** Milliseconds since the epoch: last comparison with a list, last response of the server, last commit. */
  readonly lastAuditAt: number | null;
  readonly lastContactAt: number | null;
  readonly lastCommitAt: number | null;
  /** Gaps since the oldest file of the trash went there. Ordered by `from`, unless the clock was set back. */
  readonly clockGaps: readonly ClockGap[];
  /** `.stoaignore` as the user last accepted it, or as it applies because it removed nothing. */
  readonly acceptedIgnore: string | null;
  /** `.stoaignore` as the user last accepted it. Null if that is `acceptedIgnore`. */
  readonly ownIgnore: string | null;
  /** `.stoaignore` as another user last wrote it, while it waits for acceptance. */
  readonly offeredIgnore: string | null;
  /** The process that last worked here. It still works if the folder is locked. */
  readonly worker: { readonly pid: number; readonly mode: 'once' | 'events' | 'polling' } | null;
}

/**
 * A stretch of the machine's clock that no process here observed: the program did not run, or the clock jumped. These
 * two look the same, so at most `trashGapMsMax` of it counts.
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
  ownIgnore: null,
  offeredIgnore: null,
  worker: null,
};

/** A local file that differs from the base. The cache saves hashing it at each start. */
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

/** An operation that was begun and may be unfinished. Its kind determines its fields; the others are null. */
export interface Intent {
  readonly id: string;
  readonly kind: (typeof intentKinds)[number];
  readonly path: WorkspacePath;
  readonly toPath: WorkspacePath | null;
  /** Version in the precondition; null if the path was expected to be free. */
  readonly version: number | null;
  /** Hash of the content to send, or to have here. */
  readonly hash: ContentHash | null;
  /** Stamp of the expected local file. */
  readonly stamp: Stamp | null;
  /** Id in staging. */
  readonly staging: string | null;
  /** The cursor at its start. Its record in the feed is later. */
  readonly seq0: number;
  /** The last step known to be done. */
  readonly step: string;
  /** Path at which the server stored the losing bytes. */
  readonly copyPath: WorkspacePath | null;
}

export interface FolderMove {
  readonly id: string;
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  /** Number of files still to be moved. */
  readonly left: number;
}

/** `since` and `retryAt` in milliseconds since the epoch. Null: no retry by time. */
export interface SkippedRow extends SkippedPath {
  readonly since: number;
  readonly retryAt: number | null;
}

export interface HoldRow {
  readonly id: string;
  readonly kind: HoldKind;
  readonly members: readonly HoldMember[];
  readonly since: number;
  /** The user has confirmed it, and it is not applied yet. */
  readonly isConfirmed: boolean;
}

export interface ConflictRow {
  readonly copyPath: WorkspacePath;
  readonly ofPath: WorkspacePath;
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
  /** `up`, `down`, `moved`, `deleted_here`, `deleted_there`, `conflict`, …: as shown by `stoa log`. */
  readonly op: string;
  readonly path: string;
  readonly version: number | null;
  readonly bytes: number | null;
  readonly ms: number | null;
  /** `done`, the reason why not, or the path of the losing text. */
  readonly outcome: string;
}

/** An entry as read. Ids increase. */
export interface LogRow extends LogEntry {
  readonly id: number;
}

/** All state that the engine keeps in memory, as of the last commit. */
export interface StoredState {
  readonly meta: SyncMeta;
  readonly base: Map<WorkspacePath, BaseFile>;
  readonly folders: Map<WorkspacePath, BaseFolder>;
  /** Paths whose remote state differs from the base. */
  readonly remote: Map<WorkspacePath, RemoteState>;
  /** Paths made private and not processed yet: feed number of the record by path of the file or folder. */
  readonly revoked: Map<WorkspacePath, number>;
  readonly hashCache: Map<DiskPath, CachedHash>;
  readonly intents: Map<string, Intent>;
  readonly folderMoves: Map<string, FolderMove>;
  readonly skipped: Map<string, SkippedRow>;
  readonly holds: Map<string, HoldRow>;
  readonly conflicts: Map<WorkspacePath, ConflictRow>;
}
