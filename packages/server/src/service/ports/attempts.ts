/** Rate limit counters: attempts over a sliding interval, and in fixed windows. */
export interface AttemptWriter {
  /** Locks the bucket until the commit. @returns the times of its stored attempts, oldest first. */
  lockAttempts(bucket: string): Promise<readonly number[]>;
  /** @param staleAt when the whole bucket stops counting. The call also removes a few stale buckets. */
  keepAttempts(bucket: string, attempts: readonly number[], staleAt: number): Promise<void>;
  /** Counts one attempt in a fixed window. @returns the attempts in this window, including this one. */
  countAttempt(bucket: string, windowStart: number, windowEnd: number): Promise<number>;
}
