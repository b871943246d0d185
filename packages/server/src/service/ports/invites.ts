import type { WorkspaceRow } from './workspaces.ts';

/** An invite as kept: of its token only the hash, which never leaves the store. */
export interface InviteRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null: as many as come. */
  readonly maxUses: number | null;
  readonly usesLeft: number | null;
}

/** An invite with who made it; name and image are empty when there is none. */
export interface InviteWithMaker extends InviteRow {
  readonly makerName: string;
  readonly makerImage: string;
}

/** The invite as shown to anybody who has its link. */
export interface InvitePreview {
  readonly invite: InviteWithMaker;
  readonly workspace: Pick<WorkspaceRow, 'id' | 'name' | 'icon' | 'color'>;
}

export interface InviteReader {
  findByHash(tokenHash: string): Promise<InviteRow | null>;
  previewByHash(tokenHash: string): Promise<InvitePreview | null>;
  /** Newest first, at most `limit`, used-up and expired ones that are still kept included. */
  listOf(workspaceId: string, limit: number): Promise<readonly InviteWithMaker[]>;
  countOf(workspaceId: string): Promise<number>;
}

export interface InviteWriter {
  insertInvite(row: InviteRow & { readonly tokenHash: string }): Promise<void>;
  /** Takes one use in one conditional update. @returns false when none was left, or the invite is gone. */
  takeInviteUse(inviteId: string): Promise<boolean>;
  /** @returns whether the workspace had such an invite. */
  deleteInvite(workspaceId: string, inviteId: string): Promise<boolean>;
  /** Ends every invite that this person made for the workspace. */
  deleteInvitesBy(workspaceId: string, userId: string): Promise<void>;
  /** Ends every invite that this person made. @returns how many there were. */
  deleteAllInvitesBy(userId: string): Promise<number>;
  /** Clears a workspace's invites that expired before this time. */
  clearExpiredInvites(workspaceId: string, expiredBefore: number): Promise<void>;
}
