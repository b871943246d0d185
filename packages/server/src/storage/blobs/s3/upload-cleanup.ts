import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { isAbsent, type ObjectStore, plainError } from './object-store.ts';

/** Cleanup must not delay its caller for long: the sweeper finds the rest. */
const cleanupMsMax = 10_000;

/** Removes the objects that an upload has, or may have, written to the store. */
export interface Cleanup {
  /** @returns a function that cancels the removal. */
  add(remove: (abortSignal: AbortSignal) => Promise<unknown>): () => void;
  addObject(name: string): void;
  /**
   * Removes everything that it can within 10 seconds, and reports the rest as `leftMessage`. Never fails; a missing
   * object is not an error.
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
