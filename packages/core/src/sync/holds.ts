import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';

export const holdKinds = ['deletes_there', 'deletes_here', 'changes', 'list_disagrees', 'copies'] as const;
/** Kinds of bulk changes that wait for the user's confirmation. */
export type HoldKind = (typeof holdKinds)[number];

export interface HoldMember {
  readonly path: WorkspacePath;
  /** Hash of the content to delete, update or copy. Null for a difference of a list. */
  readonly hash: ContentHash | null;
}

/** Names its exact members. A confirmation applies to these alone. */
export interface Hold {
  readonly kind: HoldKind;
  readonly members: readonly HoldMember[];
}
