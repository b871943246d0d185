import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { AskAnchoring } from './anchoring.ts';
import { createKnownAnchors, type KnownAnchors } from './known-anchors.ts';

/**
 * Maximum size of a file with comments; threads of a file that grew larger are outdated. It is above the server's
 * default file limit, so it matters only where an operator raised that.
 */
export const anchoredFileMaxBytes = 128 * 1024 * 1024;

/** Shared dependencies of the comment use cases. Owned by the composition root. */
export interface Anchors {
  readonly ask: AskAnchoring;
  readonly known: KnownAnchors;
  /**
   * Runs work that needs contents of this many bytes in memory: a bounded number at a time, fair among workspaces.
   * @throws WorkspaceError `overloaded` when the queue is full.
   */
  holding<Result>(workspaceId: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Work on contents up to this size, in total, never waits for larger work. */
const smallBytesMax = 1024 * 1024;
const smallAtOnce = 16;
/** Each large job holds two files of the maximum size in memory. */
const largeAtOnce = 1;
const waitingMax = 1000;

export function createAnchors(ask: AskAnchoring): Anchors {
  const small = createSemaphore(smallAtOnce, { waitingMax });
  const large = createSemaphore(largeAtOnce, { waitingMax });
  return {
    ask,
    known: createKnownAnchors(),
    holding: (workspaceId, bytes, work) => (bytes <= smallBytesMax ? small : large).run(work, workspaceId),
  };
}
