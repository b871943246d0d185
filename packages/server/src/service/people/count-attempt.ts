import { defineScript } from '../ports/script.ts';

interface CountAttempt {
  readonly bucket: string;
  readonly windowStart: number;
  readonly windowEnd: number;
}

/** Counts one attempt in a fixed window shared by all nodes. @returns attempts so far, this one included. */
export const countAttemptScript = defineScript<CountAttempt, number>(
  'people.countAttempt',
  async (tx, { bucket, windowStart, windowEnd }) =>
    await tx.write.countAttempt(bucket, windowStart, windowEnd),
);
