import type { NodeKind, PathPrefix, Viewer, WorkspacePath } from '@stoa/core';

export interface PrivacyRow {
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  readonly ownerId: string;
  /**
   * True when no user set this record: it keeps a file private that was moved out of a private folder, until a private
   * folder covers the file again.
   */
  readonly implied: boolean;
}

export interface NodePage {
  readonly workspaceId: string;
  readonly prefix: PathPrefix;
  readonly viewer: Viewer;
  readonly afterPath: WorkspacePath | null;
  readonly limit: number;
}

/**
 * Properties of files and folders that are stored separately from files. Each is at or under `prefix` and visible to
 * the viewer.
 */
export interface NodeReader {
  icons(workspaceId: string, prefix: PathPrefix, viewer: Viewer): Promise<ReadonlyMap<WorkspacePath, string>>;
  orders(
    workspaceId: string,
    prefix: PathPrefix,
    viewer: Viewer,
  ): Promise<ReadonlyMap<WorkspacePath, number>>;
  /** Pages by path after `afterPath` (null: from the start), at most `limit`. */
  iconPage(page: NodePage): Promise<readonly (readonly [path: WorkspacePath, icon: string])[]>;
  orderPage(page: NodePage): Promise<readonly (readonly [path: WorkspacePath, order: number])[]>;
  /** The viewer's own privacy records. */
  privateTo(workspaceId: string, prefix: PathPrefix, viewer: Viewer): Promise<readonly PrivacyRow[]>;
  privatePage(page: NodePage): Promise<readonly PrivacyRow[]>;
  /**
   * All members' privacy records by path after `afterPath` (null: from the start), at most `limit`: for search.
   */
  privacyPage(query: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly PrivacyRow[]>;
  /** One owner's privacy records by path, at most `limit`: for operators. */
  privacyOwnedIn(workspaceId: string, ownerId: string, limit: number): Promise<readonly PrivacyRow[]>;
  /** The number of an owner's privacy records in each workspace. For operators. */
  countPrivacyOwned(
    ownerId: string,
  ): Promise<readonly { readonly workspaceId: string; readonly items: number }[]>;
  /** The nearest privacy record at or above `path`, or null. */
  decidingPrivacy(workspaceId: string, path: WorkspacePath): Promise<PrivacyRow | null>;
}

export interface NodeWriter {
  /** Null removes it. */
  setIcon(workspaceId: string, path: WorkspacePath, icon: string | null): Promise<void>;
  setOrder(workspaceId: string, path: WorkspacePath, order: number | null): Promise<void>;
  setPrivacy(workspaceId: string, row: PrivacyRow): Promise<void>;
  clearPrivacy(workspaceId: string, path: WorkspacePath): Promise<void>;
  /** Removes the implied records strictly below `folder` that belong to `ownerId`. */
  clearImpliedPrivacyBelow(workspaceId: string, folder: WorkspacePath, ownerId: string): Promise<void>;
}
