/** Milliseconds since the epoch. Injected, so that only the composition root reads the system clock. */
export type Clock = () => number;

/** Returns unguessable identifiers with a readable prefix: `ws_…`, at least 128 random bits. */
export type Ids = (prefix: string) => string;
