import type { ContentHash } from '../files/content.ts';
import type { NameTraits } from '../names/name-traits.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { Hold, HoldKind, HoldMember } from './holds.ts';
import type { Question, SyncOperation } from './operations.ts';
import type { SkippedPath, SkipReason } from './skip-reasons.ts';

/** A stored version of a path, from the version list. */
export interface KnownVersion {
  readonly version: number;
  readonly hash: ContentHash;
}

/** Reasons why a workspace accepts no uploads. Deletes, moves and downloads continue. */
export type UploadsWait = 'read_only' | 'quota' | 'file_count';

/** Whether the workspace still accepts a file. @param oldBytes null if the file is new on the server. */
export function isTakenWhile(wait: UploadsWait, sizeBytes: number, oldBytes: number | null): boolean {
  switch (wait) {
    case 'read_only':
      return false;
    case 'quota':
      return oldBytes !== null && sizeBytes <= oldBytes;
    case 'file_count':
      return oldBytes !== null;
  }
}

/** The planner's input apart from the trees. Plain data and pure functions: equal facts give equal plans. */
export interface SyncFacts {
  readonly phase: 'first_contact' | 'live';
  readonly traits: NameTraits;
  /** Applies the ignore rules. The planner itself knows names that are never synced. */
  isIgnored(path: WorkspacePath): boolean;
  /** Whether the scan of the same folder as before was complete. If not, nothing is deleted on the server. */
  readonly isHealthy: boolean;
  /** Paths of own changes that the feed has not confirmed yet. Not planned on either side. */
  readonly awaitingEcho: ReadonlySet<WorkspacePath>;
  /** Paths that wait for a retry, the user, or a quiet file. Not planned, and reported with the reason. */
  readonly waiting: ReadonlyMap<
    WorkspacePath,
    { readonly reason: SkipReason; readonly detail: string | null }
  >;
  /** Paths where a new file already lost and the server keeps it as a copy: it is not treated as moved there. */
  readonly lost: ReadonlySet<WorkspacePath>;
  readonly uploadsWait: UploadsWait | null;
  /** Null if the server did not say. */
  readonly maxFileBytes: number | null;
  /** More changes of one kind need confirmation. */
  readonly maxChanges: number;
  /** Members that the user confirmed. */
  readonly confirmed: ReadonlyMap<HoldKind, readonly HoldMember[]>;
  /** From the server, newest first. */
  readonly versions: ReadonlyMap<WorkspacePath, readonly KnownVersion[]>;
  readonly hashes: ReadonlyMap<WorkspacePath, KnownVersion>;
  readonly merge: 'off' | 'clean';
  /** The label of conflicted-copy names: milliseconds since the epoch, and the key's name. */
  readonly copyLabel: { readonly now: number; readonly writer: string };
}

export interface SyncPlan {
  /** In an order that can run one by one. `after` shows which may run concurrently. */
  readonly operations: readonly SyncOperation[];
  readonly holds: readonly Hold[];
  readonly skipped: readonly SkippedPath[];
  readonly ask: readonly Question[];
}
