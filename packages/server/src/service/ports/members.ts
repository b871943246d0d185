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

/** How a caller stands at this moment. What was not asked for is null. */
export interface Standing {
  /** Null also when the person is not a member. */
  readonly role: MemberRole | null;
  /** A revoked key is still found; one of a disabled person is disabled. */
  readonly key: Pick<KeyRow, 'disabled' | 'expiresAt' | 'deletedAt' | 'access' | 'path'> | null;
  /** Null also when the session is not there, another person's, or its person disabled. */
  readonly sessionExpiresAt: number | null;
}

export interface MemberReader {
  /** One query for the hot path: asked inside every change. */
  standing(caller: {
    readonly userId: string;
    readonly workspaceId: string | null;
    readonly keyId: string | null;
    readonly sessionId: string | null;
  }): Promise<Standing>;
  /** Null when the person is not a member. */
  find(workspaceId: string, userId: string): Promise<MemberRow | null>;
  /** Owners first, then admins, then members; by name within a role. */
  listOf(workspaceId: string): Promise<readonly MemberRow[]>;
  countOwners(workspaceId: string): Promise<number>;
  /** When another member last removed this person; null when nobody did. */
  removedAt(workspaceId: string, userId: string): Promise<number | null>;
}

export interface MemberWriter {
  insertMember(row: NewMember): Promise<void>;
  setMemberRole(workspaceId: string, userId: string, role: MemberRole): Promise<void>;
  removeMember(workspaceId: string, userId: string): Promise<void>;
  /** Remembers that another member removed this person, in place of an earlier time. */
  noteRemoval(workspaceId: string, userId: string, removedAt: number): Promise<void>;
}
