import { createHash } from 'node:crypto';
import { type Blame, type ContentHash, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { ChangedLines, CompareJob } from './changed-lines.ts';
import {
  type BlameResponse,
  type CompareResponse,
  type EditingQuestion,
  type EditingResponse,
  type EditJob,
  type EditResponse,
  type MergeJob,
  type MergeResponse,
  runEditing,
} from './edit-job.ts';

/** Shared dependencies of the use cases that change a part of a file. Owned by the composition root. */
export interface Editing {
  /**
   * Serialises changes of one file on this node, so that they rarely find another version than they read. Other nodes
   * may change it concurrently: the write checks again.
   * @throws WorkspaceError `overloaded` when the queue is full, or the wait times out.
   */
  inTurn<Result>(workspaceId: string, path: WorkspacePath, work: () => Promise<Result>): Promise<Result>;
  /** Runs work that needs contents of this many bytes in memory: a bounded number at a time, fair among workspaces. */
  holding<Result>(workspaceId: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
  /**
   * Larger contents are transferred to a worker, and are unusable here afterwards.
   * @throws WorkspaceError `overloaded` when the pool is full, or the call times out.
   */
  edit(workspaceId: string, job: EditJob): Promise<EditResponse>;
  /** Merges two whole contents, with the same transfer rule as `edit`. */
  merge(workspaceId: string, job: MergeJob): Promise<MergeResponse>;
  /** Returns the lines in which two contents differ, with the same transfer rule; null when one of them is not text. */
  compare(workspaceId: string, job: CompareJob): Promise<ChangedLines | null>;
  /**
   * Attributes the lines of the newest content to a file's contents; null when the newest is not text. Cached by the
   * hashes.
   * @param load returns the contents of these hashes, newest first, at least the first one.
   */
  blame(
    workspaceId: string,
    hashes: readonly ContentHash[],
    load: () => Promise<readonly Uint8Array[]>,
  ): Promise<Blame | null>;
}

export type EditPool = Pick<WorkerPool<EditingQuestion, EditingResponse>, 'ask'>;

/** Contents up to this size, in total, take a few milliseconds at worst, and are edited without a worker. */
const inlineBytesMax = 64 * 1024;
const smallBytesMax = 1024 * 1024;
const smallAtOnce = 16;
const largeAtOnce = 1;
const waitingMax = 1000;
/** Ranges of lines in the cache: some 16 MB. */
const blamesMaxLines = 200_000;
/** Shorter than the timeout of a request. */
const waitMs = 8_000;

export function createEditing(pool: EditPool): Editing {
  // The result depends only on the contents, so all callers may share it.
  const blames = new LRUCache<string, Blame>({
    maxSize: blamesMaxLines,
    sizeCalculation: ({ lines }) => 1 + lines.length,
  });
  const rounds = createSemaphore(waitingMax, { waitingMax, atOnceOfOne: 1, waitMs, overloadError: tooMany });
  const small = createSemaphore(smallAtOnce, { waitingMax, waitMs, overloadError: tooMany });
  const large = createSemaphore(largeAtOnce, { waitingMax, waitMs, overloadError: tooMany });
  return {
    inTurn: (workspaceId, path, work) => rounds.run(work, `${workspaceId} ${path}`),
    holding: (workspaceId, bytes, work) => (bytes <= smallBytesMax ? small : large).run(work, workspaceId),
    // Safe casts: `runEditing` returns the result type that belongs to the kind.
    edit: async (workspaceId, job) =>
      (await ask(workspaceId, { kind: 'edit', job }, job.contents)) as EditResponse,
    merge: async (workspaceId, job) =>
      (await ask(workspaceId, { kind: 'merge', job }, [job.base, job.mine, job.theirs])) as MergeResponse,
    compare: async (workspaceId, job) => {
      const response = (await ask(workspaceId, { kind: 'compare', job }, [
        job.before,
        job.now,
      ])) as CompareResponse;
      return response.kind === 'compared' ? response.changed : null;
    },
    blame: async (workspaceId, hashes, load) => {
      const key = createHash('sha256').update(hashes.join()).digest('hex');
      const known = blames.get(key);
      if (known !== undefined) return known;
      const [newest, ...older] = await load();
      if (newest === undefined) throw new TypeError('there is no content');
      const contents = [newest, ...older] as const;
      const response = (await ask(
        workspaceId,
        { kind: 'blame', job: { contents } },
        contents,
      )) as BlameResponse;
      if (response.kind === 'not_text') return null;
      blames.set(key, response.blame);
      return response.blame;
    },
  };

  async function ask(
    workspaceId: string,
    question: EditingQuestion,
    contents: readonly Uint8Array[],
  ): Promise<EditingResponse> {
    const buffers = new Set(contents.map(({ buffer }) => buffer as ArrayBuffer));
    const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes <= inlineBytesMax) return runEditing(question);
    const outcome = await pool.ask(question, { keys: [workspaceId], transfer: [...buffers] });
    if (outcome.kind === 'exhausted') throw tooMany();
    return outcome.result;
  }
}

function tooMany(): WorkspaceError {
  return new WorkspaceError('overloaded', {}, nothingChanged);
}

export const nothingChanged = 'Nothing was changed: too many edits are running. Call again';
