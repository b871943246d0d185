/** Milliseconds since the epoch. Injected, so that nothing below the composition root reads the time itself. */
export type Clock = () => number;
