import type { GeneratorMessage, LoadJob } from './load-job.ts';
import { runLoad } from './run-load.ts';

/** The process of the load generator: runs jobs of the bench one after the other, and ends with the bench. */
process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => response({ kind: 'done', result }),
    (error: unknown) =>
      response({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The bench ends this process after the current job.
process.on('SIGINT', () => {});

function response(message: GeneratorMessage): void {
  process.send?.(message);
}
