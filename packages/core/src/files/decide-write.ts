// docs/decisions/0001-one-write-decision.md
// docs/decisions/0020-saving-engine.md
import { type ContentHash, type CurrentFile, isCurrent, type SeenVersion } from './content.ts';

/**
 * The writer's knowledge of the path: the version it read, that the file must be absent, or none. An MCP write without
 * `baseVersion` is `absent`, so that both interfaces share this one decision.
 */
export type WritePrecondition =
  | ({ readonly kind: 'version' } & SeenVersion)
  /** The same for a writer that changes a part of what it read: a file deleted since then is not created again. */
  | ({ readonly kind: 'standing' } & SeenVersion)
  | { readonly kind: 'absent' }
  | { readonly kind: 'none' };

/** The fate of bytes that come too late: a conflicted copy, or nothing for writers who keep the bytes themselves. */
export type OnConflict = 'keep' | 'refuse';

export type WriteDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'update'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  /** The caller stores the bytes next to the file. */
  | { readonly kind: 'conflict'; readonly currentVersion: number }
  /** The same for a writer that asked to store no copy. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number };

/**
 * Decides a write. A losing write is never dropped unless its writer asked for that: it is `unchanged` if the file
 * already has these bytes, otherwise `conflict`.
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
      // Identical bytes at the matching version are still an update: the content type may have changed.
      if (isCurrent(current, precondition)) return { kind: 'update', version: current.version + 1 };
      break;
    case 'absent':
      break;
  }
  if (current.contentHash === incoming) return { kind: 'unchanged', version: current.version };
  return { kind: onConflict === 'keep' ? 'conflict' : 'refused', currentVersion: current.version };
}
