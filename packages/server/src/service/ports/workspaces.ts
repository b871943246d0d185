import type { MemberRole, UsageGrowth, WorkspaceColor, WorkspaceTheme } from '@stoa/core';

/** What every change of the workspace moves. Sizes are bytes, here and below. */
export interface WorkspaceCounters {
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
  /** One query for the hot path: the workspace, and the caller's role in it or null when not a member. */
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
   * Moves the head of the feed and the usage counters: `count` seqs are taken, and what `growth` leaves out stays as it is.
   * @returns the first of them.
   */
  takeSeqs(
    workspaceId: string,
    count: number,
    growth: Partial<UsageGrowth & { readonly comments: number }>,
  ): Promise<number>;
}
