import { createHash } from 'node:crypto';
import { type Blame, type ContentHash, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { ChangedLines, CompareJob } from './changed-lines.ts';
import {
  answerEditing,
  type BlameAnswer,
  type CompareAnswer,
  type EditAnswer,
  type EditingAnswer,
  type EditingQuestion,
  type EditJob,
  type MergeAnswer,
  type MergeJob,
} from './edit-job.ts';

/** What the use cases share that change a part of a file. Owned by the composition root. */
export interface Editing {
  /**
   * Runs changes of one file one after the other on this node, so that they seldom find another version than they read.
   * Other nodes may change it meanwhile: the write asks again.
   * @throws WorkspaceError `overloaded` when too many wait, or one waited too long.
   */
  inTurn<Result>(workspaceId: string, path: WorkspacePath, work: () => Promise<Result>): Promise<Result>;
  /** Runs work that holds contents of this many bytes in memory: a bounded number at a time, workspaces in turns. */
  holding<Result>(workspaceId: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
  /**
   * Larger contents go to a worker, and are gone here afterwards.
   * @throws WorkspaceError `overloaded` when too much is under way, or when it takes far too long.
   */
  edit(workspaceId: string, job: EditJob): Promise<EditAnswer>;
  /** The same for a merge of two whole contents. */
  merge(workspaceId: string, job: MergeJob): Promise<MergeAnswer>;
  /** The lines in which two contents differ, the same way; null when one of them is not text. */
  compare(workspaceId: string, job: CompareJob): Promise<ChangedLines | null>;
  /**
   * Which of a file's contents brought its lines, newest first; null when the newest is not text. Remembered by the hashes.
   * @param load the contents of these hashes, the first at least.
   */
  blame(
    workspaceId: string,
    hashes: readonly ContentHash[],
    load: () => Promise<readonly Uint8Array[]>,
  ): Promise<Blame | null>;
}

export type EditPool = Pick<WorkerPool<EditingQuestion, EditingAnswer>, 'ask'>;

/** Contents up to this size, together, take some milliseconds at worst, and may be edited where they are asked for. */
const inlineBytesMax = 64 * 1024;
const smallBytesMax = 1024 * 1024;
const smallAtOnce = 16;
const largeAtOnce = 1;
const waitingMax = 1000;
/** Ranges of lines whose writers are remembered: some 16 MB. */
const blamesMaxLines = 200_000;
/** Below the time that a request has. */
const waitMs = 8_000;

export function createEditing(pool: EditPool): Editing {
  // The contents alone decide, so that whoever asks may be answered.
  const blames = new LRUCache<string, Blame>({
    maxSize: blamesMaxLines,
    sizeCalculation: ({ lines }) => 1 + lines.length,
  });
  const turns = createSemaphore(waitingMax, { waitingMax, atOnceOfOne: 1, waitMs, refusal: tooMany });
  const small = createSemaphore(smallAtOnce, { waitingMax, waitMs, refusal: tooMany });
  const large = createSemaphore(largeAtOnce, { waitingMax, waitMs, refusal: tooMany });
  return {
    inTurn: (workspaceId, path, work) => turns.run(work, `${workspaceId} ${path}`),
    holding: (workspaceId, bytes, work) => (bytes <= smallBytesMax ? small : large).run(work, workspaceId),
    // Each question is answered with the answer to its kind: `answerEditing` is all that runs there.
    edit: async (workspaceId, job) =>
      (await ask(workspaceId, { kind: 'edit', job }, job.contents)) as EditAnswer,
    merge: async (workspaceId, job) =>
      (await ask(workspaceId, { kind: 'merge', job }, [job.base, job.mine, job.theirs])) as MergeAnswer,
    compare: async (workspaceId, job) => {
      const answer = (await ask(workspaceId, { kind: 'compare', job }, [
        job.before,
        job.now,
      ])) as CompareAnswer;
      return answer.kind === 'compared' ? answer.changed : null;
    },
    blame: async (workspaceId, hashes, load) => {
      const key = createHash('sha256').update(hashes.join()).digest('hex');
      const known = blames.get(key);
      if (known !== undefined) return known;
      const [newest, ...older] = await load();
      if (newest === undefined) throw new TypeError('there is no content to look at');
      const contents = [newest, ...older] as const;
      const answer = (await ask(workspaceId, { kind: 'blame', job: { contents } }, contents)) as BlameAnswer;
      if (answer.kind === 'not_text') return null;
      blames.set(key, answer.blame);
      return answer.blame;
    },
  };

  async function ask(
    workspaceId: string,
    question: EditingQuestion,
    contents: readonly Uint8Array[],
  ): Promise<EditingAnswer> {
    const buffers = new Set(contents.map(({ buffer }) => buffer as ArrayBuffer));
    const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes <= inlineBytesMax) return answerEditing(question);
    const outcome = await pool.ask(question, { keys: [workspaceId], transfer: [...buffers] });
    if (outcome.kind === 'exhausted') throw tooMany();
    return outcome.answer;
  }
}

function tooMany(): WorkspaceError {
  return new WorkspaceError('overloaded', {}, nothingChanged);
}

export const nothingChanged = 'Nothing was changed: too much is being changed at once. Call again';
