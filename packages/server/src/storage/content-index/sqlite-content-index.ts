import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import {
  type Candidates,
  type ContentIndex,
  DamagedIndexError,
  type IndexLocation,
  type IndexPage,
  type NotText,
} from '../../service/ports/content-index.ts';
import { type IndexMethod, type IndexQuestion, openContentIndexFile } from './content-index-file.ts';
import { isDamage, rebuildAtNextStart } from './damaged-index.ts';

export type IndexPool = Pick<WorkerPool<IndexQuestion, unknown>, 'ask'>;

/** The index in a file of its own, in separate threads for searching and adding: a search never waits for additions. */
export function createSqliteContentIndex(
  file: string,
  pools: { readonly asking: IndexPool; readonly adding: IndexPool },
): ContentIndex {
  async function ask<Result>(pool: IndexPool, method: IndexMethod, ...given: unknown[]): Promise<Result> {
    const outcome = await pool.ask({ file, method, given });
    if (outcome.kind === 'exhausted') throw new Error(`the content index took too much ${outcome.limit}`);
    // `runIndexQuery` calls the method of this name.
    return outcome.result as Result;
  }
  const { asking, adding } = pools;
  return {
    isAvailable: true,
    place: (...given) => ask<IndexLocation>(asking, 'place', ...given),
    candidates: (...given) => ask<Candidates>(asking, 'candidates', ...given),
    notText: (...given) => ask<NotText>(asking, 'notText', ...given),
    missing: (...given) => ask(adding, 'missing', ...given),
    advance: (...given) => ask<boolean>(adding, 'advance', ...given),
    page: (...given) => ask<IndexPage>(adding, 'page', ...given),
    remove: (...given) => ask<boolean>(adding, 'remove', ...given),
    clear: (...given) => ask(adding, 'clear', ...given),
    // The threads close the file when they end.
    async [Symbol.asyncDispose]() {},
  };
}

/** For a process that serves no requests. */
export const indexInThisThread: IndexPool = {
  ask: async (question) => ({ kind: 'answered', result: runIndexQuery(question) }),
};

let opened: { readonly file: string; readonly index: ReturnType<typeof openContentIndexFile> } | null = null;

/** Runs one request, in an index thread. */
export function runIndexQuery({ file, method, given }: IndexQuestion): unknown {
  try {
    if (opened?.file !== file) {
      opened?.index[Symbol.dispose]();
      opened = null;
      opened = { file, index: openContentIndexFile(file) };
    }
    // The port's type has the arguments that belong to the method.
    return opened.index[method](...(given as never[]));
  } catch (error) {
    if (!isDamage(error)) throw error;
    rebuildAtNextStart(file);
    throw new DamagedIndexError({ cause: error });
  }
}
