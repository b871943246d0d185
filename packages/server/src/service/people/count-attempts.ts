import { defineScript } from '../ports/script.ts';

export interface AttemptCount {
  readonly bucket: string;
  readonly max: number;
}

interface CountAttempts {
  /** From the narrowest to the widest: buckets after an exceeded one are not counted. */
  readonly counts: readonly AttemptCount[];
  readonly windowStart: number;
  readonly windowEnd: number;
}

/** Counts one attempt in fixed windows shared by all nodes. @returns whether every bucket is within its limit. */
export const countAttemptsScript = defineScript<CountAttempts, boolean>(
  'people.countAttempts',
  async (tx, { counts, windowStart, windowEnd }) => {
    for (const { bucket, max } of counts) {
      if ((await tx.write.countAttempt(bucket, windowStart, windowEnd)) > max) return false;
    }
    return true;
  },
);
