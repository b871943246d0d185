import type { Need } from '@stoa/core';

/** What a narrow key is told, by what is asked of it; what stands here for none of its needs, it may. */
export type NarrowRefusals = Readonly<Partial<Record<Need, string>>>;

const reads = 'This key may read, but not change anything';
const comments = 'This key may read and comment, but not change anything else';

export const narrowRefusals = {
  reads: { comment: reads, write: reads, workspace: reads },
  comments: { write: comments, workspace: comments },
  /** For a folder or a file. */
  inPlace: { workspace: 'This key may not change the workspace' },
} as const satisfies Readonly<Record<string, NarrowRefusals>>;
