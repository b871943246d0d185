import { after, before, describe, it } from 'node:test';
import { findCeph } from './ceph/find-ceph.ts';
import { startCeph } from './ceph/start-ceph.ts';
import type { FoundProgram } from './install-program.ts';
import { type RunningObjectStore, startObjectStore } from './object-store.ts';
import { findSwift } from './swift/find-swift.ts';

/** A program that speaks S3: how to find it, and how to start it. */
export interface ObjectStoreProgram {
  find(): Promise<FoundProgram>;
  start(): Promise<RunningObjectStore>;
}

export const swift: ObjectStoreProgram = { find: findSwift, start: startObjectStore };
export const ceph: ObjectStoreProgram = { find: findCeph, start: startCeph };

/**
 * Runs a suite with its own real object store. Where there is no such store, skips it by name, with the command
 * that installs one.
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

/**
 * A store that takes parts of any size, for tests that are not about their size: it saves most of the traffic.
 */
export async function withSmallPartsObjectStore(
  name: string,
  suite: (store: () => RunningObjectStore) => void,
): Promise<void> {
  const start = () => startObjectStore({ partBytesMin: 1 });
  await withObjectStore(name, suite, { find: findSwift, start });
}
