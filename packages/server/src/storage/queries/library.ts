import type { LibraryReader } from '../../service/ports/library.ts';
import type { Executor } from './executor.ts';
import { rejectUnstorable } from './query.ts';

/** Runs on read-only connections, so that only a select can succeed. */
export function createLibraryReader(executor: Executor): LibraryReader {
  return {
    async select(sql, parameters) {
      rejectUnstorable(parameters);
      const { rows } = await executor.once(sql, parameters);
      return rows.map((row) => ({ ...row }));
    },
  };
}
