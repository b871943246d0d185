import { errorTable } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { MetadataStore } from '../service/ports/metadata-store.ts';

/** What is asked of a store. Single reads of rows are too many and too short to be measured one by one. */
export type StoreOperation =
  | { readonly store: 'database'; readonly operation: 'transact' | 'snapshot' }
  | { readonly store: 'contents'; readonly operation: 'open' | 'finish' | 'remove' };

/** `refused` is the caller's to read, `failed` the operator's: something is away, full, or overloaded. */
export type StoreOutcome = 'done' | 'refused' | 'failed';

export interface StoreObserver {
  /** @returns what is called once, when the operation is over. */
  began(what: StoreOperation): (outcome: StoreOutcome) => void;
  /** So many changes were sent to be committed together. */
  batch(changes: number): void;
}

const transact = { store: 'database', operation: 'transact' } as const;
const snapshot = { store: 'database', operation: 'snapshot' } as const;
const open = { store: 'contents', operation: 'open' } as const;
const finish = { store: 'contents', operation: 'finish' } as const;
const remove = { store: 'contents', operation: 'remove' } as const;

export function measureDatabase(store: MetadataStore, observer: StoreObserver): MetadataStore {
  const measured: MetadataStore = {
    reader: store.reader,
    readAnew: () => store.readAnew(),
    foresee: (reads) => {
      const foreseen = store.foresee(reads);
      return foreseen === store ? measured : measureDatabase(foreseen, observer);
    },
    snapshot: (read) => observed(observer, snapshot, () => store.snapshot(read)),
    transact: (script, command) => observed(observer, transact, () => store.transact(script, command)),
    onChange: (listener) => store.onChange(listener),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  return measured;
}

/** Bytes on their way are not in it: `open` ends where the first could be read, and `finish` begins after the last. */
export function measureContents(blobs: BlobStore, observer: StoreObserver): BlobStore {
  return {
    async beginUpload(workspaceId) {
      const upload = await blobs.beginUpload(workspaceId);
      return {
        write: (chunk) => upload.write(chunk),
        finish: (content) => observed(observer, finish, () => upload.finish(content)),
        [Symbol.asyncDispose]: () => upload[Symbol.asyncDispose](),
      };
    },
    open: (key, range) => observed(observer, open, () => blobs.open(key, range)),
    remove: (key) => observed(observer, remove, () => blobs.remove(key)),
    readPlaceId: () => blobs.readPlaceId(),
    keepPlaceId: (id) => blobs.keepPlaceId(id),
    list: (olderThan) => blobs.list(olderThan),
    removeAbandonedUploads: (olderThan) => blobs.removeAbandonedUploads(olderThan),
  };
}

async function observed<Result>(
  observer: StoreObserver,
  what: StoreOperation,
  work: () => Promise<Result>,
): Promise<Result> {
  const over = observer.began(what);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    over(outcomeOf(error));
    throw error;
  }
  over('done');
  return result;
}

function outcomeOf(error: unknown): StoreOutcome {
  return error instanceof WorkspaceError && errorTable[error.code].status < 500 ? 'refused' : 'failed';
}
