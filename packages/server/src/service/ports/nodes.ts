import type { NodeKind, PathPrefix, Viewer, WorkspacePath } from '@stoa/core';

export interface PrivacyRow {
  readonly path: WorkspacePath;
  readonly kind: NodeKind;
  readonly ownerId: string;
  /**
   * True when nobody asked for this record: a file that was moved out of a private folder keeps its privacy through
   * it, until a private folder covers the file again.
   */
  readonly implied: boolean;
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
  /** The privacy records of all members below a folder after `afterPath` (null: from the start), at most `limit`: for search. */
  privacyPage(query: {
    readonly workspaceId: string;
    readonly folder: PathPrefix;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly PrivacyRow[]>;
  /** The privacy records of one owner by path, at most `limit`: for operators. */
  privacyOwnedIn(workspaceId: string, ownerId: string, limit: number): Promise<readonly PrivacyRow[]>;
  /** In which workspaces somebody has privacy records, and how many. For operators. */
  countPrivacyOwned(
    ownerId: string,
  ): Promise<readonly { readonly workspaceId: string; readonly items: number }[]>;
  /** The nearest privacy record at or above `path`, or null. */
  decidingPrivacy(workspaceId: string, path: WorkspacePath): Promise<PrivacyRow | null>;
}

export interface NodeWriter {
  /** Null clears. */
  setIcon(workspaceId: string, path: WorkspacePath, icon: string | null): Promise<void>;
  setOrder(workspaceId: string, path: WorkspacePath, order: number | null): Promise<void>;
  setPrivacy(workspaceId: string, row: PrivacyRow): Promise<void>;
  clearPrivacy(workspaceId: string, path: WorkspacePath): Promise<void>;
  /** Removes the implied records strictly below `folder` that belong to `ownerId`. */
  clearImpliedPrivacyBelow(workspaceId: string, folder: WorkspacePath, ownerId: string): Promise<void>;
}
