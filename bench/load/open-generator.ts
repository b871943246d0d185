import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Workbench } from '../workbench.ts';
import type { GeneratorMessage, LoadJob, LoadResult } from './load-job.ts';

/** A load generator in a process of its own, so that its event loop is not the bench's. One job at a time. */
export interface Generator {
  /** @throws when the run fails: a broken connection, an unexpected status, a server that hangs. */
  readonly run: (job: LoadJob) => Promise<LoadResult>;
}

const program = new URL('./generator-process.ts', import.meta.url);

export function openGenerator(workbench: Workbench): Generator {
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  workbench.keep(child);
  const ended = once(child, 'exit').then(
    (): GeneratorMessage => ({ kind: 'failed', reason: 'the load generator ended' }),
  );
  return {
    async run(job) {
      const responded = once(child, 'message').then(([message]): GeneratorMessage => message);
      child.send(job);
      const message = await Promise.race([responded, ended]);
      if (message.kind === 'failed') throw new Error(`load on port ${job.port}: ${message.reason}`);
      return message.result;
    },
  };
}
