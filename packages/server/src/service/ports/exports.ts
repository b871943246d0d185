import type { MemberRole } from '@stoa/core';

/** What an export has a row of, in the order in which an import brings them. */
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

/** A row as it is stored, by the names of the fields, without the workspace that it belongs to. */
export type ExportedRow = Readonly<Record<string, string | number | null>>;

/** Somebody's standing in a workspace, now or formerly. */
export interface Standing {
  readonly userId: string;
  /** Null where they are no member now. */
  readonly role: MemberRole | null;
  readonly joinedAt: number | null;
  readonly joinedSeq: number | null;
  readonly removedAt: number | null;
}

/** What only an export asks: the rows of one workspace as they are, whoever may see them. */
export interface ExportReader {
  /** The rows of a kind after one of them (null: from the start), at most `limit`, in the order of their kind's key. */
  rows(
    kind: ExportedKind,
    page: { readonly workspaceId: string; readonly after: ExportedRow | null; readonly limit: number },
  ): Promise<readonly ExportedRow[]>;
  /** Members and those whom others removed, in the order in which they came. */
  standings(workspaceId: string): Promise<readonly Standing[]>;
  /** Whether something is private to anybody else, or a change was made while it was. */
  hasPrivateOfOthers(workspaceId: string, userId: string): Promise<boolean>;
  /** Names a version whose bytes no row keeps; null: there is none. */
  versionWithoutBytes(workspaceId: string): Promise<string | null>;
}

/** A workspace that an import makes has no counters until all of it is there: until then nobody finds it. */
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
  /** Whether it was begun, and neither finished nor given up. */
  isImporting(workspaceId: string): Promise<boolean>;
  insertImported(kind: ExportedKind, workspaceId: string, rows: readonly ExportedRow[]): Promise<void>;
  /** An account that nobody can sign in to. */
  insertFormerPerson(row: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly createdAt: number;
  }): Promise<void>;
  insertStanding(workspaceId: string, standing: Standing): Promise<void>;
  /** The counters of a workspace that has all its rows: from now on it is found. */
  openImported(workspaceId: string, seq: number): Promise<void>;
  /** Removes the rows of a workspace that was not finished, and leaves those of others alone. */
  discardImported(workspaceId: string): Promise<void>;
}
