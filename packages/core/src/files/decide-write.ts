// docs/decisions/0001-one-write-decision.md
import type { ContentHash, CurrentFile } from './content.ts';

/**
 * What a writer knows of the path: the version it read, that it must be absent, or nothing. An MCP write without
 * `baseVersion` is `absent`, so that both surfaces share this one decision.
 */
export type WritePrecondition =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'none' };

export type WriteDecision =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly version: number }
  | { readonly kind: 'unchanged'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number };

/**
 * Decides a write. A losing write is never dropped: it is `unchanged` when the same bytes are already there, else
 * `conflict`, and the caller keeps its bytes beside the file.
 */
export function decideWrite(
  current: Pick<CurrentFile, 'version' | 'contentHash'> | null,
  incoming: ContentHash,
  precondition: WritePrecondition,
): WriteDecision {
  if (current === null) return { kind: 'create' };
  switch (precondition.kind) {
    case 'none':
      return { kind: 'precondition_required', currentVersion: current.version };
    case 'version':
      // Identical bytes at the matching version are still an update: a new content type may come with them.
      if (precondition.version === current.version) return { kind: 'update', version: current.version + 1 };
      break;
    case 'absent':
      break;
  }
  if (current.contentHash === incoming) return { kind: 'unchanged', version: current.version };
  return { kind: 'conflict', currentVersion: current.version };
}
