import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Limits concurrency over all threads of a process, for example for work on its one thread pool. */
export interface ProcessPermits {
  /** Runs `work` when a permit is free. Callers must bound how many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param name the same in all threads. The first call must come before other threads start. */
export function processPermits(name: string, atOnce: number): ProcessPermits {
  const known = getEnvironmentData(name);
  const free = known instanceof Int32Array ? known : new Int32Array(new SharedArrayBuffer(4)).fill(atOnce);
  if (free !== known) setEnvironmentData(name, free);

  async function take(): Promise<void> {
    for (;;) {
      const seen = Atomics.load(free, 0);
      if (seen > 0) {
        if (Atomics.compareExchange(free, 0, seen, seen - 1) === seen) return;
        continue;
      }
      await Atomics.waitAsync(free, 0, seen).value;
    }
  }

  return {
    async run(work) {
      await take();
      try {
        return await work();
      } finally {
        Atomics.add(free, 0, 1);
        Atomics.notify(free, 0, 1);
      }
    },
  };
}
