import type { StoaClient } from '@stoa/client';

/** The response of `list`, with or without details. */
export type ListResponse = Awaited<ReturnType<StoaClient['list']>>;

/** A file as `list` names it. */
export type ListedFile = ListResponse['entries'][number];
