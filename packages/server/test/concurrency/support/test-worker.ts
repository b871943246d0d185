import { threadId } from 'node:worker_threads';
import { handleQuestions } from '../../../src/concurrency/worker-pool.ts';

/** Requests of the tests to a worker: to return its thread, or to misbehave. */
export type TestQuestion = 'fine' | 'end' | 'throw' | 'loop' | 'hoard' | Uint8Array;

handleQuestions((question: TestQuestion): number => {
  switch (question) {
    case 'end':
      process.exit(0);
      break;
    case 'throw':
      throw new Error('a bug in the worker');
    case 'loop':
      for (;;);
    case 'hoard': {
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => `${kept.length} ${i}`));
    }
  }
  return threadId;
});
