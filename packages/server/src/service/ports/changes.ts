import type { ChangeOp, ContentHash, Principal, Viewer, WorkspacePath } from '@stoa/core';

/** Who made a version or a change. */
export interface ActorStamp {
  readonly principal: Principal;
  readonly actorId: string;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
}

/** Who may see a change, as kept when it was written. At most one of the two is set. */
export interface Audience {
  /** Only this member: the change happened in their private place. */
  readonly onlyUserId: string | null;
  /** Every member but this one. */
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
  /** Of a conflict: the version that the writer had read; null where it is not known. */
  readonly conflictBase: number | null;
}

export interface ChangeReader {
  head(workspaceId: string): Promise<number>;
  /** The first change strictly after a time, by time then seq, whoever may see it; null: none. */
  firstSeqAfter(workspaceId: string, time: number): Promise<number | null>;
  /**
   * The seq behind which the last `count` changes lie; 0 when there are not more. Seqs do not tell that: they jump when a
   * backup is put back.
   */
  seqBeforeLast(workspaceId: string, count: number): Promise<number>;
  /**
   * Scans at most `limit` changes after `sinceSeq` in seq order. `scannedSeqs` names all that were scanned, `changes`
   * those that the viewer may see: by the audience kept with each, by privacy now, and without comment changes unless
   * asked for. `access_revoked` is judged by its audience alone: it tells those who no longer see the path.
   */
  scan(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly sinceSeq: number;
    readonly limit: number;
    readonly includeComments: boolean;
  }): Promise<{ readonly changes: readonly ChangeRow[]; readonly scannedSeqs: readonly number[] }>;
  /** The seq of the `count`th change after `seq`, whoever may see it; null when there are not so many. */
  seqOfNext(query: {
    readonly workspaceId: string;
    readonly afterSeq: number;
    readonly count: number;
  }): Promise<number | null>;
  /** The first `delete` of this path after one seq and up to another, whoever may see it: how a file left it. */
  findDeparture(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly afterSeq: number;
    readonly upToSeq: number;
  }): Promise<Pick<ChangeRow, 'seq' | 'onlyUserId'> | null>;
  /** Visible changes strictly after `since`, by time then seq; `newestFirst` turns both round. */
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
