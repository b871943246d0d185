import type { AuditAction, AuditKind } from '@stoa/core';
import type { ActorStamp } from './changes.ts';

/** Origin of a change: plain data that travels with its command. */
export interface AuditOrigin {
  /** The audit rows of the command derive their ids from it, so that a retried transaction writes the same rows. */
  readonly id: string;
  readonly actor: ActorStamp | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** A row of the audit log: never changed, and removed only by retention. */
export interface AuditRow {
  readonly id: string;
  readonly createdAt: number;
  readonly action: AuditAction;
  /** Null: not about a single workspace. */
  readonly workspaceId: string | null;
  /** The actor, as in the feed. All four are null for an unknown actor, as before a sign-in. */
  readonly principal: ActorStamp['principal'] | null;
  readonly actorId: string | null;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
  /** Client address behind trusted proxies; null for an operator command. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** User that the entry is about. */
  readonly personId: string | null;
  /** The key, invite or share link that the entry is about, and its name. */
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly path: string | null;
  /** The only user who could see the path at that time; null: every member. */
  readonly pathOwnerId: string | null;
  /** A JSON object with further details. */
  readonly details: string;
}

/** A position in the log. The id orders rows of the same time. */
export type AuditLocation = Pick<AuditRow, 'createdAt' | 'id'>;

export interface AuditQuestion {
  /** Null: the log of the whole installation. */
  readonly workspaceId: string | null;
  readonly kind: AuditKind | null;
  /** The actor, or the user that an entry is about. */
  readonly personId: string | null;
  /** Inclusive. */
  readonly since: number | null;
  /** Exclusive. */
  readonly until: number | null;
  readonly order: 'newest first' | 'oldest first';
  /** The last row of the previous page. */
  readonly after: AuditLocation | null;
  readonly limit: number;
}

export interface AuditReader {
  page(question: AuditQuestion): Promise<readonly AuditRow[]>;
}

export interface AuditWriter {
  insertAuditEntry(row: AuditRow): Promise<void>;
  /** Removes the oldest rows from before a time, at most `limit`. @returns their number. */
  forgetAuditEntries(before: number, limit: number): Promise<number>;
}
