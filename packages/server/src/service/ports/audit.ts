import type { AuditAction, AuditKind } from '@stoa/core';
import type { ActorStamp } from './changes.ts';

/** Where a change comes from: plain data, which goes along with its command. */
export interface AuditOrigin {
  /** The rows that the command leaves are named by it, so that a transaction that is run again leaves the same ones. */
  readonly id: string;
  readonly actor: ActorStamp | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** A row of the audit log: never changed, and forgotten only by the retention. */
export interface AuditRow {
  readonly id: string;
  readonly createdAt: number;
  readonly action: AuditAction;
  /** Null: of no single workspace. */
  readonly workspaceId: string | null;
  /** Who did it, as in the feed; all null where nobody was known, as before a sign-in. */
  readonly principal: ActorStamp['principal'] | null;
  readonly actorId: string | null;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
  /** Of the client, believed proxies accounted for; null for an operator command. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** Whom it is about. */
  readonly personId: string | null;
  /** The key, invite or share link that it is about, and what it is called. */
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly path: string | null;
  /** Who alone saw the path when this was done; null: every member. */
  readonly pathOwnerId: string | null;
  /** A JSON object with what else there is to tell. */
  readonly details: string;
}

/** A place in the log: of rows of one moment the id decides. */
export type AuditPlace = Pick<AuditRow, 'createdAt' | 'id'>;

export interface AuditQuestion {
  /** Null: the log of the whole installation. */
  readonly workspaceId: string | null;
  readonly kind: AuditKind | null;
  /** Who did it, or whom it is about. */
  readonly personId: string | null;
  /** From this moment on. */
  readonly since: number | null;
  /** Before this moment. */
  readonly until: number | null;
  readonly order: 'newest first' | 'oldest first';
  /** Where the page before ended. */
  readonly after: AuditPlace | null;
  readonly limit: number;
}

export interface AuditReader {
  page(question: AuditQuestion): Promise<readonly AuditRow[]>;
}

export interface AuditWriter {
  insertAuditEntry(row: AuditRow): Promise<void>;
  /** Forgets the oldest rows from before a moment, at most `limit`. @returns how many. */
  forgetAuditEntries(before: number, limit: number): Promise<number>;
}
