import { after, before, describe, it } from 'node:test';
import { findCeph } from './ceph/find-ceph.ts';
import { startCeph } from './ceph/start-ceph.ts';
import type { FoundProgram } from './install-program.ts';
import { type RunningObjectStore, startObjectStore } from './object-store.ts';
import { findSwift } from './swift/find-swift.ts';

/** A program that speaks S3: how to look for it, and how to start one. */
export interface ObjectStoreProgram {
  find(): Promise<FoundProgram>;
  start(): Promise<RunningObjectStore>;
}

export const swift: ObjectStoreProgram = { find: findSwift, start: startObjectStore };
export const ceph: ObjectStoreProgram = { find: findCeph, start: startCeph };

/**
 * A suite with a real object store of its own; skipped by name, with the command that changes that, where there can be
 * none.
 */
export async function withObjectStore(
  name: string,
  suite: (store: () => RunningObjectStore) => void,
  program: ObjectStoreProgram = swift,
): Promise<void> {
  const found = await program.find();
  if (found.kind === 'missing') {
    it(name, { skip: found.reason });
    return;
  }
  describe(name, () => {
    let store: RunningObjectStore;
    before(async () => {
      store = await program.start();
    });
    after(() => store[Symbol.asyncDispose]());
    suite(() => store);
  });
}

/** One that takes parts of any size, for tests that are not about their size: far fewer bytes go to and fro. */
export async function withSmallPartsObjectStore(
  name: string,
  suite: (store: () => RunningObjectStore) => void,
): Promise<void> {
  const start = () => startObjectStore({ partBytesMin: 1 });
  await withObjectStore(name, suite, { find: findSwift, start });
}
