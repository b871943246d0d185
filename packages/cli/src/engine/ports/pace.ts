/** The engine's only source of time and randomness. */
export interface Pace {
  /** Milliseconds from an arbitrary moment. Never goes back. Stops or jumps ahead while the machine sleeps. */
  now(): number;
  /** Milliseconds since the epoch for names, dates and display. The clock may be wrong and may jump. */
  wallNow(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** A locally unique name of letters, digits and `-`. */
  newId(): string;
  /** Resolves after `ms`, or as soon as the signal aborts. It never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Called with a fixed name just before each step of an operation. Tests end the process there. The process may end at
 * any step. Then the state is that of the disk, the server and the last commit.
 */
export type OnStep = (name: string) => void | Promise<void>;
