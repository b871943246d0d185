import type {
  ChangeOp,
  ContentHash,
  MemberRole,
  Principal,
  VersionOp,
  WorkspaceColor,
  WorkspacePath,
  WorkspaceTheme,
} from '@stoa/core';

/** A workspace with its counters. Times are milliseconds since the epoch, sizes bytes, here and below. */
export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly color: WorkspaceColor | null;
  readonly theme: WorkspaceTheme | null;
  readonly themeCss: string | null;
  readonly planId: string | null;
  /** A lapsed workspace is read-only. */
  readonly lapsed: boolean;
  /** Head of the feed: the seq of the newest change, 0 before the first. */
  readonly seq: number;
  readonly usedBytes: number;
  readonly usedFiles: number;
  /**
   * The bytes of all versions that are not current. A version that came by a move is the one it was moved from, and is
   * counted once.
   */
  readonly historyBytes: number;
  /** Threads and replies. */
  readonly comments: number;
  /** How many privacy records the workspace has: 0 lets the hot paths skip looking for one. */
  readonly privacyRecords: number;
  readonly createdAt: number;
}

/** The file that stands at a path now. */
export interface FileRow {
  readonly workspaceId: string;
  readonly path: WorkspacePath;
  /** One file's time at one path, from creation or move to the next: the seq of the change that began it. */
  readonly incarnation: number;
  readonly version: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly contentHash: ContentHash;
}

/** Who made a version or a change. */
export interface ActorStamp {
  readonly principal: Principal;
  readonly actorId: string;
  readonly actorKeyId: string | null;
  readonly actorLabel: string | null;
}

/** One kept version: of the current file, of an earlier incarnation, or of a deleted file. */
export interface VersionRow extends FileRow, ActorStamp {
  readonly op: VersionOp;
  readonly createdAt: number;
  /** Where the file came from, on version 1 of a moved file. */
  readonly movedFrom: { readonly path: WorkspacePath; readonly incarnation: number } | null;
}

/** Who may see a change, as kept when it was written. At most one of the two is set. */
export interface Audience {
  /** Only this member: the change happened in their private place. */
  readonly onlyUserId: string | null;
  /** Every member but this one. */
  readonly exceptUserId: string | null;
}

export interface ChangeRow extends ActorStamp, Audience {
  readonly workspaceId: string;
  readonly seq: number;
  readonly path: WorkspacePath;
  readonly op: ChangeOp;
  readonly version: number | null;
  readonly contentHash: ContentHash | null;
  readonly createdAt: number;
  readonly movedFrom: WorkspacePath | null;
  readonly conflictOf: WorkspacePath | null;
}

/** Where a content's bytes are: in the database, or in the blob store under its generation. */
export type BlobLocation =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'stored'; readonly generation: string };

export interface MemberRow {
  readonly userId: string;
  readonly name: string;
  readonly image: string;
  readonly role: MemberRole;
}

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly createdAt: number;
}

/** An API key as kept: never its secret. `deletedAt` marks the tombstone of a revoked key. */
export interface KeyRow {
  readonly id: string;
  readonly userId: string;
  /** Null for an account-wide key. */
  readonly workspaceId: string | null;
  readonly name: string;
  /** The first characters of the secret, by which its owner recognises the key. */
  readonly start: string;
  readonly principal: Principal;
  readonly disabled: boolean;
  readonly expiresAt: number | null;
  readonly deletedAt: number | null;
  readonly createdAt: number;
  /** Sampled: at most a few writes an hour, so that authenticating costs no write. */
  readonly lastUsedAt: number | null;
}

export interface PrivacyRow {
  readonly path: WorkspacePath;
  readonly kind: 'file' | 'folder';
  readonly ownerId: string;
  /**
   * True when nobody asked for this record: a file that was moved out of a private folder keeps its privacy through
   * it, until a private folder covers the file again.
   */
  readonly implied: boolean;
}
