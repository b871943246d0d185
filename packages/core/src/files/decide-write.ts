// docs/decisions/0001-one-write-decision.md
// docs/decisions/0037-a-stale-write-may-be-refused.md
import { type ContentHash, type CurrentFile, isCurrent, type SeenVersion } from './content.ts';

/**
 * What a writer knows of the path: the version it read, that it must be absent, or nothing. An MCP write without
 * `baseVersion` is `absent`, so that both surfaces share this one decision.
 */
export type WritePrecondition =
  | ({ readonly kind: 'version' } & SeenVersion)
  /** The same, for who changes a part of what it read: a file that is gone since is not brought back. */
  | ({ readonly kind: 'standing' } & SeenVersion)
  | { readonly kind: 'absent' }
  | { readonly kind: 'none' };

/** What becomes of bytes that come too late: a conflicted copy, or nothing, for writers who keep them themselves. */
export type OnConflict = 'keep' | 'refuse';

export type WriteDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'update'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  /** The caller keeps the bytes beside the file. */
  | { readonly kind: 'conflict'; readonly currentVersion: number }
  /** The same, where the writer asked that nothing be kept. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number };

/**
 * Decides a write. A losing write is never dropped unless its writer asked for that: it is `unchanged` when the same
 * bytes are already there, else `conflict`.
 */
export function decideWrite(
  current: Pick<CurrentFile, 'version' | 'contentHash'> | null,
  incoming: ContentHash,
  precondition: WritePrecondition,
  onConflict: OnConflict,
): WriteDecision {
  if (current === null) return { kind: precondition.kind === 'standing' ? 'gone' : 'create' };
  switch (precondition.kind) {
    case 'none':
      return { kind: 'precondition_required', currentVersion: current.version };
    case 'version':
    case 'standing':
      // Identical bytes at the matching version are still an update: a new content type may come with them.
      if (isCurrent(current, precondition)) return { kind: 'update', version: current.version + 1 };
      break;
    case 'absent':
      break;
  }
  if (current.contentHash === incoming) return { kind: 'unchanged', version: current.version };
  return { kind: onConflict === 'keep' ? 'conflict' : 'refused', currentVersion: current.version };
}
