import { WorkspaceError } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { ExaminedText, ExamineJob } from './examine-text.ts';
import type { ScanJob, Scanned } from './scan-job.ts';

/** Scans contents in a worker, outside the thread that serves requests. Owned by the composition root. */
export interface ContentScanner {
  /** Runs a search: a bounded number at a time, fair among workspaces. @throws WorkspaceError `overloaded` */
  searching<Result>(workspaceId: string, search: () => Promise<Result>): Promise<Result>;
  /**
   * Transfers the contents: they are unusable here afterwards.
   * @throws WorkspaceError `overloaded` when it times out.
   */
  scan(workspaceId: string, job: ScanJob): Promise<readonly Scanned[]>;
  /** The same, for Find. */
  examine(workspaceId: string, job: ExamineJob): Promise<readonly (ExaminedText | null)[]>;
}

export type ScannerQuestion = { readonly scan: ScanJob } | { readonly examine: ExamineJob };
export type ScanPool = Pick<WorkerPool<ScannerQuestion, unknown>, 'ask'>;

/** Each search holds some contents in memory. */
const searchesAtOnce = 4;
const waitingMax = 200;
const waitMs = 8_000;

export function createContentScanner(pool: ScanPool): ContentScanner {
  const error = () =>
    new WorkspaceError('overloaded', {}, 'The search took too long: narrow path, or try again in a moment');
  const searches = createSemaphore(searchesAtOnce, { waitingMax, waitMs, overloadError: error });
  async function ask(workspaceId: string, question: ScannerQuestion, contents: readonly Uint8Array[]) {
    const buffers = new Set(contents.map(({ buffer }) => buffer as ArrayBuffer));
    const outcome = await pool.ask(question, { keys: [workspaceId], transfer: [...buffers] });
    if (outcome.kind === 'exhausted') throw error();
    return outcome.result;
  }
  return {
    searching: (workspaceId, search) => searches.run(search, workspaceId),
    // The worker returns the type of each question.
    scan: (workspaceId, job) => ask(workspaceId, { scan: job }, job.contents) as Promise<readonly Scanned[]>,
    examine: (workspaceId, job) =>
      ask(
        workspaceId,
        { examine: job },
        job.texts.map(({ bytes }) => bytes),
      ) as Promise<readonly (ExaminedText | null)[]>,
  };
}
