import { defineScript } from '../ports/script.ts';

export interface AttemptCount {
  readonly bucket: string;
  /** Attempts that the bucket may have in a window. */
  readonly max: number;
}

interface CountAttempts {
  /** From the narrowest to the widest: one that is over leaves those behind it uncounted. */
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
