/** Unguessable identifiers with a readable prefix: `ws_…`, at least 128 random bits. */
export type Ids = (prefix: string) => string;
