import type { ChangeOp, ContentHash, WorkspacePath } from '@stoa/core';
import type { ChangeRow } from './changes.ts';
import type { FileRow, VersionRow } from './files.ts';

/** What must hold of each stored row by itself, with the rows that it refers to. */
export interface RowRule {
  /** `version_without_bytes`: names the fault, for programs and for the documentation. */
  readonly name: string;
  /** What is wrong with what is found, as a sentence for the operator. */
  readonly says: string;
}

/** Something stored that is not as it must be. */
export interface Finding {
  /** Null where it belongs to no workspace. */
  readonly workspaceId: string | null;
  /** Names the row as an operator would look for it: `notes/plan.md version 3`. */
  readonly subject: string;
  /** Of a content, which goes by its hash: the versions that have it, the last ones, and how many others do. */
  readonly versions?: readonly string[];
  readonly furtherVersions?: number;
}

export type CheckedChange = Pick<
  ChangeRow,
  'seq' | 'version' | 'contentHash' | 'movedFrom' | 'conflictOf'
> & {
  /** As they are stored: not known to be valid. */
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

/** A content as it is stored; `bytes` only where they are in the database and were asked for. */
export interface CheckedContent {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly bytes: Uint8Array | null;
  readonly generation: string | null;
}

export interface AskedRule {
  /** The most findings that are wanted. */
  readonly limit: number;
  /** The rows that one statement looks at. */
  readonly pageRows: number;
  /** Asks one workspace alone. */
  readonly workspaceId?: string;
  /** Told after each page how many rows were asked, about. */
  readonly told?: (rows: number) => void;
}

/** The head of a workspace's feed, and what the workspace is charged for. */
export interface CheckedCounters {
  readonly seq: number;
  readonly usedFiles: number;
  readonly usedBytes: number;
  readonly historyBytes: number;
  readonly comments: number;
  readonly privacyRecords: number;
}

/** What only a check asks: rows as they are, valid or not. Pages are in the order of their keys. */
export interface CheckReader {
  readonly rules: readonly RowRule[];
  /** What breaks a rule, read in pages: in a snapshot, so that nothing changes between them. */
  findings(rule: RowRule, asked: AskedRule): Promise<readonly Finding[]>;
  /** Undefined in a workspace without counters: an import that is not opened. */
  counters(workspaceId: string): Promise<CheckedCounters | undefined>;
  /** The places in the feed of `limit` threads and of all their replies; null behind the last thread. */
  commentSeqs(page: {
    readonly workspaceId: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<{ readonly lastThread: number; readonly seqs: readonly number[] } | null>;
  privateItems(workspaceId: string): Promise<number>;
  /** What the database itself says of its files, a sentence each; nothing where it cannot be asked. */
  damage(): Promise<readonly string[]>;
  /**
   * By the clock of a database that others recover to a moment: everything that was committed by then is seen by whoever
   * reads from now on. Null on one that is backed up with its contents.
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
  /** The paths of everything that is kept beside the files of a workspace: icons, orders, privacy, links, threads. */
  sidePaths(workspaceId: string): Promise<readonly string[]>;
  contentsPage(page: {
    readonly after: Pick<CheckedContent, 'workspaceId'> & { readonly contentHash: string };
    readonly limit: number;
    readonly withBytes: boolean;
  }): Promise<readonly CheckedContent[]>;
}

/** What a repair changes: only what follows from other rows. */
export interface CheckWriter {
  /** Sets the counters of a workspace to what it holds. The workspace is locked. @returns how many were wrong. */
  recount(workspaceId: string): Promise<number>;
  /**
   * Forgets what is remembered of contents that are not kept, places in the feed beyond its head, and what was put aside and
   * has its right bytes again. @returns how many.
   */
  forgetUnfounded(workspaceId: string): Promise<number>;
}
