/**
 * The minimum pace of bytes on a connection. There is no limit on the total time, so a large file over a slow line is
 * fine.
 */
export interface BodyPace {
  /** The longest silence, in milliseconds. */
  readonly idleMs: number;
  /** Average bytes per second of waiting time, after `graceMs` of waiting. */
  readonly minimumBytesPerSecond: number;
  readonly graceMs: number;
}

/** The pace of request bodies, and of responses. */
export const bodyPace: BodyPace = { idleMs: 30_000, minimumBytesPerSecond: 1024, graceMs: 60_000 };

export function isTooSlow(pace: BodyPace, movedBytes: number, waitedMs: number): boolean {
  return waitedMs > pace.graceMs && movedBytes < (pace.minimumBytesPerSecond * waitedMs) / 1000;
}
