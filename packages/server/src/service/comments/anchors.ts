import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { AskAnchoring } from './anchoring.ts';
import { createKnownAnchors, type KnownAnchors } from './known-anchors.ts';

/**
 * Files beyond this are not commented on, and what was anchored in one that grew beyond is outdated: above the server's
 * own default ceiling, so only an operator who raised that meets it.
 */
export const anchoredFileMaxBytes = 128 * 1024 * 1024;

/** What the comment use cases share. Owned by the composition root. */
export interface Anchors {
  readonly ask: AskAnchoring;
  readonly known: KnownAnchors;
  /**
   * Runs work that holds contents of this many bytes in memory, a bounded number of them at a time, workspaces in turns.
   * @throws WorkspaceError `overloaded` when too much waits already.
   */
  holding<Result>(workspaceId: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Contents up to this size, together, never wait behind larger ones. */
const smallBytesMax = 1024 * 1024;
const smallAtOnce = 16;
/** One piece of large work holds two files of the greatest size. */
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
