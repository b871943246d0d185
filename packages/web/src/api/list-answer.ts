import type { StoaClient } from '@stoa/client';

/** The answer of `list`, with details or without. */
export type ListAnswer = Awaited<ReturnType<StoaClient['list']>>;

/** A file as `list` names it. */
export type ListedFile = ListAnswer['entries'][number];
