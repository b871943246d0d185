import { after, before, describe, it } from 'node:test';
import { type RunningObjectStore, startObjectStore } from '../object-store.ts';
import { findSwift } from './find-swift.ts';

/**
 * A suite with a real object store of its own; skipped by name, with the command that changes that, where there can be
 * none.
 */
export async function withObjectStore(
  name: string,
  suite: (store: () => RunningObjectStore) => void,
): Promise<void> {
  const found = await findSwift();
  if (found.kind === 'missing') {
    it(name, { skip: found.reason });
    return;
  }
  describe(name, () => {
    let store: RunningObjectStore;
    before(async () => {
      store = await startObjectStore();
    });
    after(() => store[Symbol.asyncDispose]());
    suite(() => store);
  });
}
