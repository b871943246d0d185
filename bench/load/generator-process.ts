import type { GeneratorMessage, LoadJob } from './load-job.ts';
import { runLoad } from './run-load.ts';

/** The load generator's own process: takes jobs from the bench, one after the other, and ends with it. */
process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => answer({ kind: 'done', result }),
    (error: unknown) =>
      answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group: the bench ends this process when it has ended its turn.
process.on('SIGINT', () => {});

function answer(message: GeneratorMessage): void {
  process.send?.(message);
}
