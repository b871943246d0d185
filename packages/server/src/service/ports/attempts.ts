/** Attempts counted over any stretch of time, and in fixed windows. */
export interface AttemptWriter {
  /** Locks the bucket until the commit. @returns the times of its remembered attempts, oldest first. */
  lockAttempts(bucket: string): Promise<readonly number[]>;
  /** @param staleAt from when on nothing in the bucket counts any more. Also clears a few stale buckets away. */
  keepAttempts(bucket: string, attempts: readonly number[], staleAt: number): Promise<void>;
  /** Counts one attempt in a fixed window. @returns attempts in this window, this one included. */
  countAttempt(bucket: string, windowStart: number, windowEnd: number): Promise<number>;
}
