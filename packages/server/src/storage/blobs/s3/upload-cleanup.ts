import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { isAbsent, type ObjectStore, plainError } from './object-store.ts';

/** Cleanup must not hold its caller for long: the sweeper finds the rest. */
const cleanupMsMax = 10_000;

/** How to take out again what an upload has put, or may have put, into the store. */
export interface Cleanup {
  /** @returns a function to call when there is nothing left to remove. */
  add(remove: (abortSignal: AbortSignal) => Promise<unknown>): () => void;
  addObject(name: string): void;
  /**
   * Removes everything, as far as it can be done in 10 seconds; what cannot is reported as `leftMessage`. Never fails; a
   * missing object is not an error.
   */
  run(leftMessage: string): Promise<void>;
}

export function createCleanup({ client, bucket, reportProblem }: ObjectStore): Cleanup {
  const tasks = new Set<(abortSignal: AbortSignal) => Promise<unknown>>();
  return {
    add(remove) {
      tasks.add(remove);
      return () => tasks.delete(remove);
    },
    addObject(name) {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: name });
      tasks.add((abortSignal) => client.send(command, { abortSignal }));
    },
    async run(leftMessage) {
      const abortSignal = AbortSignal.timeout(cleanupMsMax);
      const steps = Array.from(tasks, (remove) => remove(abortSignal));
      tasks.clear();
      for (const step of await Promise.allSettled(steps)) {
        if (step.status === 'fulfilled' || isAbsent(step.reason)) continue;
        reportProblem(leftMessage, plainError(step.reason));
      }
    },
  };
}
