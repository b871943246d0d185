import type { MemberRole } from '@stoa/core';
import type { KeyRow } from './keys.ts';

export interface MemberRow {
  readonly userId: string;
  readonly name: string;
  readonly image: string;
  readonly role: MemberRole;
}

export interface NewMember {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly createdAt: number;
}

/** Access status of a caller at this moment. Parts that were not requested are null. */
export interface Existing {
  /** Also null when the user is not a member. */
  readonly role: MemberRole | null;
  /** Includes a revoked key; a key of a disabled user is disabled. */
  readonly key: Pick<KeyRow, 'disabled' | 'expiresAt' | 'deletedAt' | 'access' | 'path'> | null;
  /** Also null when the session does not exist, belongs to another user, or its user is disabled. */
  readonly sessionExpiresAt: number | null;
}

export interface MemberReader {
  /** One query for the hot path: every change runs it. */
  standing(caller: {
    readonly userId: string;
    readonly workspaceId: string | null;
    readonly keyId: string | null;
    readonly sessionId: string | null;
  }): Promise<Existing>;
  /** Null when the user is not a member. */
  find(workspaceId: string, userId: string): Promise<MemberRow | null>;
  /** Owners first, then admins, then members; by name within a role. */
  listOf(workspaceId: string): Promise<readonly MemberRow[]>;
  countOwners(workspaceId: string): Promise<number>;
  /** Time at which another member last removed this user; null: never. */
  removedAt(workspaceId: string, userId: string): Promise<number | null>;
}

export interface MemberWriter {
  insertMember(row: NewMember): Promise<void>;
  setMemberRole(workspaceId: string, userId: string, role: MemberRole): Promise<void>;
  removeMember(workspaceId: string, userId: string): Promise<void>;
  /** Records that another member removed this user; replaces an earlier time. */
  noteRemoval(workspaceId: string, userId: string, removedAt: number): Promise<void>;
}
