import type { ChangeOp, ContentHash, Principal, Viewer, WorkspacePath } from '@stoa/core';

/** Author of a version or a change. */
export interface ActorStamp {
  readonly principal: Principal;
  readonly actorId: string;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
}

/** The members who may see a change, as stored when it was written. At most one of the two is set. */
export interface Audience {
  /** Only this member: the path was private to them. */
  readonly onlyUserId: string | null;
  /** Every member except this one. */
  readonly exceptUserId: string | null;
}

export interface ChangeRow extends ActorStamp, Audience {
  readonly workspaceId: string;
  readonly seq: number;
  readonly path: WorkspacePath;
  readonly op: ChangeOp;
  readonly version: number | null;
  readonly contentHash: ContentHash | null;
  readonly createdAt: number;
  readonly movedFrom: WorkspacePath | null;
  readonly conflictOf: WorkspacePath | null;
  /** Of a conflict: the version that the writer had read; null when unknown. */
  readonly conflictBase: number | null;
}

export interface ChangeReader {
  head(workspaceId: string): Promise<number>;
  /** The first change strictly after a time, by time then seq, not filtered by privacy. */
  firstSeqAfter(workspaceId: string, time: number): Promise<number | null>;
  /**
   * Returns the seq before the last `count` changes, 0 when there are fewer. Seqs cannot be subtracted for this: a
   * restored backup makes them jump.
   */
  seqBeforeLast(workspaceId: string, count: number): Promise<number>;
  /**
   * Scans at most `limit` changes after `sinceSeq` in seq order. `scannedSeqs` has every scanned seq. `changes` has
   * those that the viewer may see, by the stored audience and by current privacy. It has comment changes only on
   * request. The audience alone decides about `access_revoked`, because it informs members who no longer see the path.
   */
  scan(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly sinceSeq: number;
    readonly limit: number;
    readonly includeComments: boolean;
  }): Promise<{ readonly changes: readonly ChangeRow[]; readonly scannedSeqs: readonly number[] }>;
  /** The first `delete` of this path after a seq, not filtered by privacy: it shows how a file left the path. */
  findDeparture(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly afterSeq: number;
  }): Promise<Pick<ChangeRow, 'seq' | 'onlyUserId'> | null>;
  /** The newest `delete` of this path that the viewer may see. */
  findLastDeparture(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly viewer: Viewer;
  }): Promise<ChangeRow | null>;
  /** The first path, in path order, in a folder that a file left, among the departures that the viewer may see. */
  findDepartureBelow(query: {
    readonly workspaceId: string;
    readonly folder: WorkspacePath;
    readonly viewer: Viewer;
  }): Promise<WorkspacePath | null>;
  /** Visible changes strictly after `since`, by time then seq; `newestFirst` reverses both. */
  since(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly since: number;
    readonly limit: number;
    readonly newestFirst: boolean;
    readonly includeComments: boolean;
  }): Promise<readonly ChangeRow[]>;
}

export interface ChangeWriter {
  insertChange(row: ChangeRow): Promise<void>;
}
