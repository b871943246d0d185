import type { MemberRole } from '@stoa/core';

/** The kinds of rows in an export, in the order in which an import inserts them. */
export const exportedKinds = [
  'contents',
  'changes',
  'versions',
  'files',
  'threads',
  'replies',
  'icons',
  'orders',
  'privacy',
] as const;
export type ExportedKind = (typeof exportedKinds)[number];

/** A stored row by field names, without its workspace id. */
export type ExportedRow = Readonly<Record<string, string | number | null>>;

/** A user's membership in a workspace, current or former. */
export interface Existing {
  readonly userId: string;
  /** Null for a former member. */
  readonly role: MemberRole | null;
  readonly joinedAt: number | null;
  readonly joinedSeq: number | null;
  readonly removedAt: number | null;
}

/** Queries that only exports use: all rows of one workspace, not filtered by privacy. */
export interface ExportReader {
  /** Rows of a kind in key order, at most `limit`, after a given row (null: from the start). */
  rows(
    kind: ExportedKind,
    page: { readonly workspaceId: string; readonly after: ExportedRow | null; readonly limit: number },
  ): Promise<readonly ExportedRow[]>;
  /** Members and removed members, in the order in which they joined. */
  standings(workspaceId: string): Promise<readonly Existing[]>;
  /** Whether anything is private to another user, or a change was made while it was. */
  hasPrivateOfOthers(workspaceId: string, userId: string): Promise<boolean>;
  /** Names a version whose bytes are missing; null when all are stored. */
  versionWithoutBytes(workspaceId: string): Promise<string | null>;
}

/** A workspace under import has no counters, and readers do not find it, until all its rows are inserted. */
export interface ImportWriter {
  beginImport(row: {
    readonly id: string;
    readonly name: string;
    readonly icon: string | null;
    readonly color: string | null;
    readonly theme: string | null;
    readonly themeCss: string | null;
    readonly planId: string | null;
    readonly createdAt: number;
  }): Promise<void>;
  /** Whether an import was begun and not yet finished or discarded. */
  isImporting(workspaceId: string): Promise<boolean>;
  insertImported(kind: ExportedKind, workspaceId: string, rows: readonly ExportedRow[]): Promise<void>;
  /** Inserts an account that cannot sign in. */
  insertFormerPerson(row: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly createdAt: number;
  }): Promise<void>;
  insertStanding(workspaceId: string, existing: Existing): Promise<void>;
  /** Adds the counters to a completely imported workspace, which makes it visible. */
  openImported(workspaceId: string, seq: number): Promise<void>;
  /** Removes the rows of an unfinished import; leaves other workspaces unchanged. */
  discardImported(workspaceId: string): Promise<void>;
}
