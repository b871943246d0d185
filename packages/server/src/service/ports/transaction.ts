import type { ContentHash, MemberRole, Principal, UsageGrowth, WorkspacePath } from '@stoa/core';
import type { AttemptWriter } from './attempt-store.ts';
import type { CommentWriter } from './comment-store.ts';
import type { DeviceCodeWriter } from './device-store.ts';
import type { InviteWriter } from './invite-store.ts';
import type { MemberWriter } from './member-store.ts';
import type { Reader } from './reader.ts';
import type { BlobLocation, ChangeRow, FileRow, PrivacyRow, VersionRow, WorkspaceRow } from './rows.ts';
import type { SecretWriter } from './secret-store.ts';
import type { ShareWriter } from './share-store.ts';
import type { WorkspaceImageWriter } from './workspace-image-store.ts';

/**
 * The power to change rows, held only inside a script. Reads see the transaction's own writes. On a database with many
 * writers `lockWorkspace` makes changes of one workspace take turns, and is called before any decision.
 */
export interface Transaction extends Reader {
  readonly write: Writer;
}

export interface Writer
  extends AttemptWriter,
    CommentWriter,
    DeviceCodeWriter,
    InviteWriter,
    MemberWriter,
    SecretWriter,
    ShareWriter,
    WorkspaceImageWriter {
  /** Locks the workspace's counter row until the commit and reads it. Null: no such workspace. */
  lockWorkspace(workspaceId: string): Promise<WorkspaceRow | null>;
  insertWorkspace(row: {
    readonly id: string;
    readonly name: string;
    readonly icon: string | null;
    readonly color: string | null;
    readonly planId: string | null;
    readonly createdAt: number;
  }): Promise<void>;
  updateWorkspace(
    workspaceId: string,
    fields: Partial<
      Pick<WorkspaceRow, 'name' | 'icon' | 'color' | 'theme' | 'themeCss' | 'planId' | 'lapsed'>
    >,
  ): Promise<void>;
  insertMember(row: {
    readonly workspaceId: string;
    readonly userId: string;
    readonly role: MemberRole;
    readonly createdAt: number;
  }): Promise<void>;

  /**
   * Moves the head of the feed and the usage counters: `count` seqs are taken, and what `growth` leaves out stays as it is.
   * @returns the first of them.
   */
  takeSeqs(
    workspaceId: string,
    count: number,
    growth: Partial<UsageGrowth & { readonly comments: number }>,
  ): Promise<number>;
  insertChange(row: ChangeRow): Promise<void>;

  /** Makes `row` the current file at its path, in place of the one that stood there. */
  putFile(row: FileRow): Promise<void>;
  /** Its versions stay. */
  removeFile(workspaceId: string, path: WorkspacePath): Promise<void>;
  insertVersion(row: VersionRow & { readonly conflictOf: WorkspacePath | null }): Promise<void>;
  /** Keeps the content's location unless the workspace holds the content already. @returns the location that counts. */
  keepBlob(row: {
    readonly workspaceId: string;
    readonly contentHash: ContentHash;
    readonly sizeBytes: number;
    readonly location: BlobLocation;
    readonly createdAt: number;
  }): Promise<'kept' | 'already_there'>;

  /** Null clears. */
  setIcon(workspaceId: string, path: WorkspacePath, icon: string | null): Promise<void>;
  setOrder(workspaceId: string, path: WorkspacePath, order: number | null): Promise<void>;
  setPrivacy(workspaceId: string, row: PrivacyRow): Promise<void>;
  clearPrivacy(workspaceId: string, path: WorkspacePath): Promise<void>;
  /** Removes the implied records strictly below `folder` that belong to `ownerId`. */
  clearImpliedPrivacyBelow(workspaceId: string, folder: WorkspacePath, ownerId: string): Promise<void>;

  /**
   * A person and the password they sign in with: one row each in the sign-in library's `user` (e-mail not verified, no
   * image) and `account` (`providerId` `credential`, `accountId` and `userId` the person's id) tables.
   */
  insertUser(row: {
    readonly id: string;
    /** Lower case. */
    readonly email: string;
    readonly name: string;
    readonly accountRowId: string;
    readonly passwordHash: string;
    readonly createdAt: number;
  }): Promise<void>;

  insertKey(row: {
    readonly id: string;
    readonly secretHash: string;
    readonly userId: string;
    readonly workspaceId: string | null;
    readonly name: string;
    /** The first characters of the secret, by which its owner recognises the key. */
    readonly start: string;
    readonly principal: Principal;
    readonly expiresAt: number | null;
    readonly createdAt: number;
  }): Promise<void>;
  /** Forgets a person's revoked keys but the `kept` that were made last, a few at a time. */
  forgetRevokedKeys(userId: string, kept: number): Promise<void>;
  /** Leaves a tombstone, so that the key's later use is told apart from an unknown key. */
  revokeKey(keyId: string, deletedAt: number): Promise<void>;
  touchKey(keyId: string, lastUsedAt: number): Promise<void>;

  /** Counts one attempt in a fixed window. @returns attempts in this window, this one included. */
  countAttempt(bucket: string, windowStart: number, windowEnd: number): Promise<number>;

  /**
   * A statement of the sign-in library, which brings its own SQL for its own tables.
   * @returns its rows, and how many rows it changed.
   */
  execute(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[]; readonly changedRows: number }>;
}
