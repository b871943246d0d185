/** The passing of time, and chance: the only ones that the engine knows. */
export interface Pace {
  /** Milliseconds from any fixed moment; never goes back, and stands still or jumps ahead while the machine sleeps. */
  now(): number;
  /** Milliseconds since the epoch, by a clock that may be wrong and may jump: for names, days and what is shown. */
  wallNow(): number;
  /** From 0 up to and without 1. */
  random(): number;
  /** A new name that no other thing here has: letters, digits, `-`. */
  newId(): string;
  /** Resolves after `ms`, or as soon as the signal aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Told of each step of an operation just before it is taken, by a fixed name: tests end the process there. Everything may
 * end at any step: what is true then is what the disk, the server and the last commit say.
 */
export type OnStep = (name: string) => void | Promise<void>;
