import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import {
  DamagedIndexError,
  type Holders,
  type IndexEntries,
  type WordIndex,
} from '../../service/ports/word-index.ts';
import { isDamage, rebuildAtNextStart } from './damaged-index.ts';
import { type IndexMethod, type IndexQuestion, openWordIndexFile } from './word-index-file.ts';

export type IndexPool = Pick<WorkerPool<IndexQuestion, unknown>, 'ask'>;

/** The index in a file of its own, in separate threads for searching and adding: a search never waits for additions. */
export function createSqliteWordIndex(
  file: string,
  pools: { readonly asking: IndexPool; readonly adding: IndexPool },
): WordIndex {
  async function ask<Result>(pool: IndexPool, method: IndexMethod, ...given: unknown[]): Promise<Result> {
    const outcome = await pool.ask({ file, method, given });
    if (outcome.kind === 'exhausted') throw new Error(`the content index took too much ${outcome.limit}`);
    // `runIndexQuery` calls the method of this name.
    return outcome.result as Result;
  }
  const { asking, adding } = pools;
  return {
    entries: (...given) => ask<IndexEntries>(asking, 'entries', ...given),
    holders: (...given) => ask<Holders>(asking, 'holders', ...given),
    add: (...given) => ask(adding, 'add', ...given),
    remove: (...given) => ask(adding, 'remove', ...given),
    clear: (...given) => ask(adding, 'clear', ...given),
    sizeBytes: () => ask<number>(asking, 'sizeBytes'),
    // The threads close the file when they end.
    async [Symbol.asyncDispose]() {},
  };
}

/** For a process that serves no requests. */
export const indexInThisThread: IndexPool = {
  ask: async (question) => ({ kind: 'answered', result: runIndexQuery(question) }),
};

let opened: { readonly file: string; readonly index: ReturnType<typeof openWordIndexFile> } | null = null;

/** Runs one request, in an index thread. */
export function runIndexQuery({ file, method, given }: IndexQuestion): unknown {
  try {
    if (opened?.file !== file) {
      opened?.index[Symbol.dispose]();
      opened = null;
      opened = { file, index: openWordIndexFile(file) };
    }
    // The port's type has the arguments that belong to the method.
    return opened.index[method](...(given as never[]));
  } catch (error) {
    if (!isDamage(error)) throw error;
    rebuildAtNextStart(file);
    throw new DamagedIndexError({ cause: error });
  }
}
