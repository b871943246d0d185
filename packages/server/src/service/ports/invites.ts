import type { WorkspaceRow } from './workspaces.ts';

/** A stored invite, with only a hash of its token. The hash never leaves the store. */
export interface InviteRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null: unlimited. */
  readonly maxUses: number | null;
  readonly usesLeft: number | null;
}

/** An invite with its maker; name and image are empty when the maker has none. */
export interface InviteWithMaker extends InviteRow {
  readonly makerName: string;
  readonly makerImage: string;
}

/** The invite as shown to any holder of its link. */
export interface InvitePreview {
  readonly invite: InviteWithMaker;
  readonly workspace: Pick<WorkspaceRow, 'id' | 'name' | 'icon' | 'color'>;
}

export interface InviteReader {
  findByHash(tokenHash: string): Promise<InviteRow | null>;
  previewByHash(tokenHash: string): Promise<InvitePreview | null>;
  /** Newest first, at most `limit`. Includes used and expired invites that are still stored. */
  listOf(workspaceId: string, limit: number): Promise<readonly InviteWithMaker[]>;
  countOf(workspaceId: string): Promise<number>;
}

export interface InviteWriter {
  insertInvite(row: InviteRow & { readonly tokenHash: string }): Promise<void>;
  /** Takes one use in one conditional update. @returns false when no use was left or the invite does not exist. */
  takeInviteUse(inviteId: string): Promise<boolean>;
  /** @returns whether the workspace had such an invite. */
  deleteInvite(workspaceId: string, inviteId: string): Promise<boolean>;
  /** Deletes the invites that this user made for the workspace. */
  deleteInvitesBy(workspaceId: string, userId: string): Promise<void>;
  /** Deletes every invite that this user made. @returns their number. */
  deleteAllInvitesBy(userId: string): Promise<number>;
  /** Removes a workspace's invites that expired before this time. */
  clearExpiredInvites(workspaceId: string, expiredBefore: number): Promise<void>;
}
