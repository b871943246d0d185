import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';

export const holdKinds = ['deletes_there', 'deletes_here', 'changes', 'list_disagrees', 'copies'] as const;
/** What waits until a person has looked at it, because so much of it at once is seldom meant. */
export type HoldKind = (typeof holdKinds)[number];

export interface HoldMember {
  readonly path: WorkspacePath;
  /** Of what would be deleted, of the update that would be sent, of the copy's bytes; null for a difference of a list. */
  readonly hash: ContentHash | null;
}

/** Names its exact members: confirming it lets those through and no others. */
export interface Hold {
  readonly kind: HoldKind;
  readonly members: readonly HoldMember[];
}
