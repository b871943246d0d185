import type { MemberRole, UsageGrowth, WorkspaceColor, WorkspaceTheme } from '@stoa/core';

/** Counters that every change of the workspace updates. Sizes are bytes, here and below. */
export interface WorkspaceCounters {
  /** Head of the feed: the seq of the newest change, 0 before the first. */
  readonly seq: number;
  readonly usedBytes: number;
  readonly usedFiles: number;
  /**
   * The bytes of all versions that are not current. Version 1 of a moved file and the version that was moved count
   * once.
   */
  readonly historyBytes: number;
  /** Threads and replies. */
  readonly comments: number;
  /** Number of privacy records: 0 lets the hot paths skip the lookup. */
  readonly privacyRecords: number;
}

/** A workspace with its counters. Times are milliseconds since the epoch, here and below. */
export interface WorkspaceRow extends WorkspaceCounters {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly color: WorkspaceColor | null;
  readonly theme: WorkspaceTheme | null;
  readonly themeCss: string | null;
  readonly planId: string | null;
  /** A lapsed workspace is read-only. */
  readonly lapsed: boolean;
  readonly createdAt: number;
}

export interface WorkspaceReader {
  find(workspaceId: string): Promise<WorkspaceRow | null>;
  /** One query for the hot path: the workspace, and the caller's role in it, or null for a non-member. */
  findWithRole(
    workspaceId: string,
    userId: string,
  ): Promise<{ readonly workspace: WorkspaceRow; readonly role: MemberRole | null } | null>;
  /** Workspaces of a member, oldest first. */
  listOf(userId: string): Promise<readonly { readonly workspace: WorkspaceRow; readonly role: MemberRole }[]>;
  /** All workspaces by id, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly WorkspaceRow[]>;
}

export interface WorkspaceWriter {
  /** Locks the workspace's counter row until the commit and reads it. Null: no such workspace. */
  lockWorkspace(workspaceId: string): Promise<WorkspaceRow | null>;
  insertWorkspace(
    row: Pick<WorkspaceRow, 'id' | 'name' | 'icon' | 'color' | 'planId' | 'createdAt'>,
  ): Promise<void>;
  updateWorkspace(
    workspaceId: string,
    fields: Partial<
      Pick<WorkspaceRow, 'name' | 'icon' | 'color' | 'theme' | 'themeCss' | 'planId' | 'lapsed'>
    >,
  ): Promise<void>;
  /**
   * Advances the head of the feed by `count` seqs and adds `growth` to the usage counters.
   * @returns the first of these seqs.
   */
  takeSeqs(
    workspaceId: string,
    count: number,
    growth: Partial<UsageGrowth & { readonly comments: number }>,
  ): Promise<number>;
}
