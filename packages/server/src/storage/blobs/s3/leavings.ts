import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { isAbsent, plainError } from './store-failure.ts';

/** Clearing up must not hold its caller for long: what it leaves, the sweeper finds. */
const clearUpMsMax = 10_000;

/** What an upload has put, or may have put, into the store, each with how to take it out again. */
export interface Leavings {
  /** @returns how to say that it is not there any more. */
  add(takeOut: (abortSignal: AbortSignal) => Promise<unknown>): () => void;
  addObject(name: string): void;
  /**
   * Takes everything out, as far as it can be done in 10 seconds; what cannot is reported as `leftMessage`. Never fails,
   * and what is not there is no problem.
   */
  clear(leftMessage: string): Promise<void>;
}

export function createLeavings({ client, bucket, reportProblem }: ObjectStore): Leavings {
  const ways = new Set<(abortSignal: AbortSignal) => Promise<unknown>>();
  return {
    add(takeOut) {
      ways.add(takeOut);
      return () => ways.delete(takeOut);
    },
    addObject(name) {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: name });
      ways.add((abortSignal) => client.send(command, { abortSignal }));
    },
    async clear(leftMessage) {
      const abortSignal = AbortSignal.timeout(clearUpMsMax);
      const steps = Array.from(ways, (takeOut) => takeOut(abortSignal));
      ways.clear();
      for (const step of await Promise.allSettled(steps)) {
        if (step.status === 'fulfilled' || isAbsent(step.reason)) continue;
        reportProblem(leftMessage, plainError(step.reason));
      }
    },
  };
}
