import type { ChangeOp, ContentHash, WorkspacePath } from '@stoa/core';
import type { ChangeRow } from './changes.ts';
import type { FileRow, VersionRow } from './files.ts';

/** An invariant of each stored row and the rows that it refers to. */
export interface RowRule {
  /** Name of the fault, for programs and documentation, such as `version_without_bytes`. */
  readonly name: string;
  readonly says: string;
}

/** A stored row that breaks a rule. */
export interface Finding {
  /** Null when it belongs to no workspace. */
  readonly workspaceId: string | null;
  /** Names the row as an operator would look for it: `notes/plan.md version 3`. */
  readonly subject: string;
  /** For a content: the newest versions that use it, and the number of further ones. */
  readonly versions?: readonly string[];
  readonly furtherVersions?: number;
}

export type CheckedChange = Pick<
  ChangeRow,
  'seq' | 'version' | 'contentHash' | 'movedFrom' | 'conflictOf'
> & {
  /** As stored: not validated. */
  readonly path: string;
  readonly op: ChangeOp;
};
export type CheckedFile = Pick<FileRow, 'incarnation' | 'version' | 'contentHash' | 'sizeBytes'> & {
  readonly path: string;
};
export type CheckedVersion = Pick<
  VersionRow,
  'incarnation' | 'version' | 'contentHash' | 'sizeBytes' | 'op'
> & {
  readonly path: string;
};

/** A stored content; `bytes` only when they are in the database and were requested. */
export interface CheckedContent {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly bytes: Uint8Array | null;
  readonly generation: string | null;
}

export interface AskedRule {
  readonly limit: number;
  /** The rows that one statement reads. */
  readonly pageRows: number;
  /** Limits the check to one workspace. */
  readonly workspaceId?: string;
  /** Progress: called after each page with the approximate number of rows read. */
  readonly onProgress?: (rows: number) => void;
}

/** The head of a workspace's feed, and its usage counters. */
export interface CheckedCounters {
  readonly seq: number;
  readonly usedFiles: number;
  readonly usedBytes: number;
  readonly historyBytes: number;
  readonly comments: number;
  readonly privacyRecords: number;
}

/** Queries that only checks use. They return rows without validating them. Pages are in key order. */
export interface CheckReader {
  readonly rules: readonly RowRule[];
  /** Finds rows that break a rule, page by page within one snapshot. */
  findings(rule: RowRule, asked: AskedRule): Promise<readonly Finding[]>;
  /** Undefined for a workspace without counters, as during an import. */
  counters(workspaceId: string): Promise<CheckedCounters | undefined>;
  /** The seqs of `limit` threads and of all their replies; null after the last thread. */
  commentSeqs(page: {
    readonly workspaceId: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<{ readonly lastThread: number; readonly seqs: readonly number[] } | null>;
  privateItems(workspaceId: string): Promise<number>;
  /** Damage that the database itself reports about its files, one message each; empty where it has no such check. */
  damage(): Promise<readonly string[]>;
  /**
   * The latest time up to which every commit is visible to later readers, by the clock of a database that operators
   * recover to a point in time. Null for a database that is backed up with its contents.
   */
  settledMoment(): Promise<string | null>;
  changesPage(page: {
    readonly workspaceId: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly CheckedChange[]>;
  versionsPage(page: {
    readonly workspaceId: string;
    readonly after: Pick<CheckedVersion, 'incarnation' | 'version'>;
    readonly limit: number;
  }): Promise<readonly CheckedVersion[]>;
  filesPage(page: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | string;
    readonly limit: number;
  }): Promise<readonly CheckedFile[]>;
  /** Paths of everything that a workspace stores in addition to files: icons, orders, privacy, links, threads. */
  sidePaths(workspaceId: string): Promise<readonly string[]>;
  contentsPage(page: {
    readonly after: Pick<CheckedContent, 'workspaceId'> & { readonly contentHash: string };
    readonly limit: number;
    readonly withBytes: boolean;
  }): Promise<readonly CheckedContent[]>;
}

/** Changes of a repair: only values that follow from other rows. */
export interface CheckWriter {
  /**
   * Sets the counters of a workspace to the sums of its rows, and `record_owner` of each row to the owner in its privacy
   * record. Locks the workspace.
   * @returns the number of wrong values.
   */
  recount(workspaceId: string): Promise<number>;
  /**
   * Removes front matter rows of contents that are not stored, cursors beyond the head of the feed, and quarantine rows
   * whose content has its right bytes again.
   * @returns their number.
   */
  forgetUnfounded(workspaceId: string): Promise<number>;
}
