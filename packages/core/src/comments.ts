/** Limit of the text that opens a thread and of a reply. Bytes of UTF-8. */
export const commentBodyMaxBytes = 64 * 1024;
export const dedupeKeyMaxCharacters = 256;
export const threadPageDefault = 50;
export const threadPageMax = 200;
export const entryPageDefault = 20;
export const entryPageMax = 100;

export const threadStatuses = ['open', 'resolved'] as const;
export type ThreadStatus = (typeof threadStatuses)[number];
