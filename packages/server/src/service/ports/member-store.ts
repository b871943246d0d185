import type { MemberRole } from '@stoa/core';
import type { MemberRow } from './rows.ts';

export interface MemberReader {
  /** Null when the person is not a member. */
  find(workspaceId: string, userId: string): Promise<MemberRow | null>;
  countOwners(workspaceId: string): Promise<number>;
  /** When another member last removed this person; null when nobody did. */
  removedAt(workspaceId: string, userId: string): Promise<number | null>;
}

export interface MemberWriter {
  setMemberRole(workspaceId: string, userId: string, role: MemberRole): Promise<void>;
  removeMember(workspaceId: string, userId: string): Promise<void>;
  /** Remembers that another member removed this person, in place of an earlier time. */
  noteRemoval(workspaceId: string, userId: string, removedAt: number): Promise<void>;
}
