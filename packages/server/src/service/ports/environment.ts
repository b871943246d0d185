/** Milliseconds since the epoch. Injected, so that nothing below the composition root reads the time itself. */
export type Clock = () => number;

/** Unguessable identifiers with a readable prefix: `ws_…`, at least 128 random bits. */
export type Ids = (prefix: string) => string;
