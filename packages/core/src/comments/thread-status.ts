export const threadStatuses = ['open', 'resolved'] as const;
/** Specification: Comment thread status. */
export type ThreadStatus = (typeof threadStatuses)[number];
