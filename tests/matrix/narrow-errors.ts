import type { Need } from '@stoa/core';

/** The errors of a narrow key, by the access that a request needs. A need without an error is allowed. */
export type NarrowErrors = Readonly<Partial<Record<Need, string>>>;

const reads = 'This key may read, but not change anything';
const comments = 'This key may read and comment, but not change anything else';

export const narrowErrors = {
  reads: { comment: reads, write: reads, workspace: reads },
  comments: { write: comments, workspace: comments },
  /** For a key of a folder or a file. */
  inPlace: { workspace: 'This key may not change the workspace' },
} as const satisfies Readonly<Record<string, NarrowErrors>>;
