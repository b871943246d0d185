/** How slowly a body may arrive. There is no limit on the whole: a large file over a slow line is fine. */
export interface BodyPace {
  /** The longest silence, in milliseconds. */
  readonly idleMs: number;
  /** Bytes a second, on average over the time spent waiting, once `graceMs` of waiting have passed. */
  readonly minimumBytesPerSecond: number;
  readonly graceMs: number;
}

export const bodyPace: BodyPace = { idleMs: 30_000, minimumBytesPerSecond: 1024, graceMs: 60_000 };

export function isTooSlow(pace: BodyPace, receivedBytes: number, waitedMs: number): boolean {
  return waitedMs > pace.graceMs && receivedBytes < (pace.minimumBytesPerSecond * waitedMs) / 1000;
}
