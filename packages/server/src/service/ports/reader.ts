import type { ContentHash, MemberRole, PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import type { CommentReader } from './comment-store.ts';
import type { DeviceCodeReader } from './device-store.ts';
import type { InviteReader } from './invite-store.ts';
import type { MemberReader } from './member-store.ts';
import type {
  BlobLocation,
  ChangeRow,
  FileRow,
  KeyRow,
  MemberRow,
  PrivacyRow,
  UserRow,
  VersionRow,
  WorkspaceRow,
} from './rows.ts';
import type { SecretReader } from './secret-store.ts';
import type { ShareReader } from './share-store.ts';
import type { WorkspaceImageReader } from './workspace-image-store.ts';

/**
 * Everything that can be asked of the database. Paths are ordered by code point. `viewer` filters by what they may see
 * inside the query: what is hidden from them is not counted and not returned.
 */
export interface Reader {
  readonly workspaces: WorkspaceReader;
  readonly files: FileReader;
  readonly nodes: NodeReader;
  readonly changes: ChangeReader;
  readonly comments: CommentReader;
  readonly keys: KeyReader;
  readonly deviceCodes: DeviceCodeReader;
  readonly users: UserReader;
  readonly blobs: BlobReader;
  readonly invites: InviteReader;
  readonly members: MemberReader;
  readonly workspaceImages: WorkspaceImageReader;
  readonly secrets: SecretReader;
  readonly shares: ShareReader;
  readonly library: LibraryReader;
}

export interface WorkspaceReader {
  find(workspaceId: string): Promise<WorkspaceRow | null>;
  /** One query for the hot path: the workspace, and the caller's role in it or null when not a member. */
  findWithRole(
    workspaceId: string,
    userId: string,
  ): Promise<{ readonly workspace: WorkspaceRow; readonly role: MemberRole | null } | null>;
  /** Workspaces of a member, oldest first. */
  listOf(userId: string): Promise<readonly { readonly workspace: WorkspaceRow; readonly role: MemberRole }[]>;
  /** All workspaces by id, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly WorkspaceRow[]>;
  countOwnedBy(userId: string): Promise<number>;
  /** Owners first, then admins, then members; by name within a role. */
  members(workspaceId: string): Promise<readonly MemberRow[]>;
}

export interface FileReader {
  find(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
  /** True when any file, visible or not, lies below `folder`. */
  hasBelow(workspaceId: string, folder: WorkspacePath): Promise<boolean>;
  /** True when a file that `viewer` may see stands at `path` or below it. */
  hasVisibleAtOrBelow(workspaceId: string, path: WorkspacePath, viewer: Viewer): Promise<boolean>;
  /** Files within `prefix` after `afterPath` (null: from the start), at most `limit`. */
  page(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly prefix: PathPrefix;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly FileRow[]>;
  /**
   * Paths of all current files after `afterPath` (null: from the start), at most `limit`. Private ones are included,
   * of every owner: for the search index, which judges privacy itself.
   */
  pathsPage(query: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly WorkspacePath[]>;
  /**
   * The paths of file changes (write, move, delete, conflict, restore) after `sinceSeq` in seq order, at most `limit`,
   * each with whether a file stands there now. Not filtered by privacy, as `pathsPage`. A path may come several times.
   */
  pathsChangedSince(query: {
    readonly workspaceId: string;
    readonly sinceSeq: number;
    readonly limit: number;
  }): Promise<readonly { readonly seq: number; readonly path: WorkspacePath; readonly exists: boolean }[]>;
  /** A version of the current incarnation at `path`, else of the newest earlier one there that has it. */
  findVersion(workspaceId: string, path: WorkspacePath, version: number): Promise<VersionRow | null>;
  /** The incarnations that ever stood at `path`, newest first. */
  incarnationsAt(workspaceId: string, path: WorkspacePath): Promise<readonly number[]>;
  /** Versions of one incarnation below `belowVersion` (null: all), newest first, at most `limit`. */
  versionsOf(query: {
    readonly workspaceId: string;
    readonly incarnation: number;
    readonly path: WorkspacePath;
    readonly belowVersion: number | null;
    readonly limit: number;
  }): Promise<readonly VersionRow[]>;
  /** The newest conflicted copy made for `path` that still exists at the path it was made at. */
  newestConflictedCopyOf(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
}

/** Properties of files and folders that are held apart from files. Each at or under `prefix`, visible to the viewer. */
export interface NodeReader {
  icons(workspaceId: string, prefix: PathPrefix, viewer: Viewer): Promise<ReadonlyMap<WorkspacePath, string>>;
  orders(
    workspaceId: string,
    prefix: PathPrefix,
    viewer: Viewer,
  ): Promise<ReadonlyMap<WorkspacePath, number>>;
  /** The viewer's own privacy records. */
  privateTo(workspaceId: string, prefix: PathPrefix, viewer: Viewer): Promise<readonly PrivacyRow[]>;
  /** The privacy records of all members after `afterPath` (null: from the start), at most `limit`: for search. */
  privacyPage(query: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly PrivacyRow[]>;
  /** The nearest privacy record at or above `path`, or null. */
  decidingPrivacy(workspaceId: string, path: WorkspacePath): Promise<PrivacyRow | null>;
}

export interface ChangeReader {
  head(workspaceId: string): Promise<number>;
  /**
   * Scans at most `limit` changes after `sinceSeq` in seq order. `scannedSeqs` names all that were scanned, `changes`
   * those that the viewer may see: by the audience kept with each, by privacy now, and without comment changes unless
   * asked for. `access_revoked` is judged by its audience alone: it tells those who no longer see the path.
   */
  scan(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly sinceSeq: number;
    readonly limit: number;
    readonly includeComments: boolean;
  }): Promise<{ readonly changes: readonly ChangeRow[]; readonly scannedSeqs: readonly number[] }>;
  /** Visible changes strictly after `since`, by time then seq; `newestFirst` turns both round. */
  since(query: {
    readonly workspaceId: string;
    readonly viewer: Viewer;
    readonly since: number;
    readonly limit: number;
    readonly newestFirst: boolean;
    readonly includeComments: boolean;
  }): Promise<readonly ChangeRow[]>;
}

export interface KeyReader {
  /** By the hash of the secret; finds revoked keys too. One query for the hot path: the key and its owner's name. */
  findByHash(secretHash: string): Promise<{ readonly key: KeyRow; readonly userName: string } | null>;
  find(keyId: string): Promise<KeyRow | null>;
  /** Keys of a person that are not revoked, oldest first. */
  listOf(userId: string): Promise<readonly KeyRow[]>;
}

export interface UserReader {
  find(userId: string): Promise<UserRow | null>;
  findByEmail(email: string): Promise<UserRow | null>;
  /** By creation, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly UserRow[]>;
  count(): Promise<number>;
}

export interface BlobReader {
  /** Null when the workspace holds no such content. */
  locate(workspaceId: string, contentHash: ContentHash): Promise<BlobLocation | null>;
  /** Of these generations in the blob store, those that a row names: the rest are orphans. At most 1000. */
  referenced(workspaceId: string, generations: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface LibraryReader {
  /**
   * A select of the sign-in library, which brings its own SQL for its own tables (`user`, `session`, `account`,
   * `verification`). Dates are ISO 8601 text and booleans 0 or 1 on every database.
   */
  select(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<readonly Record<string, unknown>[]>;
}
