/** Attempts counted over any stretch of time, not in fixed windows. */
export interface AttemptWriter {
  /** Locks the bucket until the commit. @returns the times of its remembered attempts, oldest first. */
  lockAttempts(bucket: string): Promise<readonly number[]>;
  /** @param staleAt from when on nothing in the bucket counts any more. Also clears a few stale buckets away. */
  keepAttempts(bucket: string, attempts: readonly number[], staleAt: number): Promise<void>;
}
