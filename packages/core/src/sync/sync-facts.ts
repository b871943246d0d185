import type { ContentHash } from '../files/content.ts';
import type { NameTraits } from '../names/name-traits.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { Hold, HoldKind, HoldMember } from './holds.ts';
import type { LeftOut, LeftOutReason } from './left-out-reasons.ts';
import type { Question, SyncOperation } from './operations.ts';

/** A stored version of a path, as the version list has it. */
export interface KnownVersion {
  readonly version: number;
  readonly hash: ContentHash;
}

/** Why a workspace takes nothing new. Deletes, moves and downloads go on. */
export type UploadsWait = 'read_only' | 'quota' | 'file_count';

/** Whether a file is taken nevertheless. @param oldBytes null: it is new there. */
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

/** What is true beside the trees. Plain data and pure functions: the same facts give the same plan. */
export interface SyncFacts {
  readonly phase: 'first_contact' | 'live';
  readonly traits: NameTraits;
  /** By the rules in force; what is never synced by its name is known to the planner itself. */
  isIgnored(path: WorkspacePath): boolean;
  /** Whether the scan was complete and the folder is the one it always was: without it nothing is deleted there. */
  readonly isHealthy: boolean;
  /** Own changes that the feed has not told of yet: not planned, on either side. */
  readonly fenced: ReadonlySet<WorkspacePath>;
  /** Paths that wait for another try, a person or quiet: not planned, and shown with their reason. */
  readonly waiting: ReadonlyMap<
    WorkspacePath,
    { readonly reason: LeftOutReason; readonly detail: string | null }
  >;
  /** Paths at which a new file lost already, and is kept by the server as a copy: it is not taken for one that was moved there. */
  readonly lost: ReadonlySet<WorkspacePath>;
  readonly uploadsWait: UploadsWait | null;
  /** Null where the server did not say. */
  readonly maxFileBytes: number | null;
  /** Null: never held for their number or share. */
  readonly maxDeletes: number | null;
  /** What a person let through. */
  readonly confirmed: ReadonlyMap<HoldKind, readonly HoldMember[]>;
  /** As answered, newest first. */
  readonly versions: ReadonlyMap<WorkspacePath, readonly KnownVersion[]>;
  readonly hashes: ReadonlyMap<WorkspacePath, KnownVersion>;
  readonly merge: 'off' | 'clean';
  /** What names made here are labelled with: milliseconds since the epoch, and the key's name. */
  readonly copyLabel: { readonly now: number; readonly writer: string };
}

export interface SyncPlan {
  /** In an order that may be followed one by one; `after` says what may run at the same time. */
  readonly operations: readonly SyncOperation[];
  readonly holds: readonly Hold[];
  readonly leftOut: readonly LeftOut[];
  readonly ask: readonly Question[];
}
