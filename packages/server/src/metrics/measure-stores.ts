import { errorTable } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { MetadataStore } from '../service/ports/metadata-store.ts';

/** Measured operations of a store. Single reads of rows are too many and too short to measure. */
export type StoreOperation =
  | { readonly store: 'database'; readonly operation: 'transact'; readonly script: string }
  | { readonly store: 'database'; readonly operation: 'snapshot' }
  | { readonly store: 'contents'; readonly operation: 'open' | 'finish'; readonly bytes: number }
  | { readonly store: 'contents'; readonly operation: 'remove' };

/** `refused` concerns the caller, `failed` the operator: something is unavailable, full or overloaded. */
export type StoreOutcome = 'done' | 'refused' | 'failed';

export interface StoreObserver {
  began(what: StoreOperation): ObservedOperation;
  /** Number of changes that were committed together, or should have been. */
  batch(changes: number): void;
}

export interface ObservedOperation {
  /** For a change: it was sent in a batch of this size. Called again for each retry. */
  sent(changes: number): void;
  /** Called once. `error` is the error of an operation that failed. */
  over(outcome: StoreOutcome, error?: unknown): void;
}

const snapshot = { store: 'database', operation: 'snapshot' } as const;
const remove = { store: 'contents', operation: 'remove' } as const;

export function measureDatabase(store: MetadataStore, observer: StoreObserver): MetadataStore {
  const measured: MetadataStore = {
    reader: store.reader,
    refreshReads: () => store.refreshReads(),
    foresee: (reads) => {
      const prefetched = store.foresee(reads);
      return prefetched === store ? measured : measureDatabase(prefetched, observer);
    },
    snapshot: (read) => observed(observer, snapshot, () => store.snapshot(read)),
    transact(script, command) {
      const what = { store: 'database', operation: 'transact', script: script.name } as const;
      return observed(observer, what, ({ sent }) => store.transact(script, command, sent));
    },
    onChange: (listener) => store.onChange(listener),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  return measured;
}

/** Excludes the transfer of bytes: `open` ends at the first readable byte, and `finish` begins after the last one. */
export function measureContents(blobs: BlobStore, observer: StoreObserver): BlobStore {
  return {
    async beginUpload(workspaceId) {
      const upload = await blobs.beginUpload(workspaceId);
      return {
        write: (chunk) => upload.write(chunk),
        finish(content) {
          const what = { store: 'contents', operation: 'finish', bytes: content.sizeBytes } as const;
          return observed(observer, what, () => upload.finish(content));
        },
        [Symbol.asyncDispose]: () => upload[Symbol.asyncDispose](),
      };
    },
    open(key, range) {
      const what = { store: 'contents', operation: 'open', bytes: range.end - range.start } as const;
      return observed(observer, what, () => blobs.open(key, range));
    },
    remove: (key) => observed(observer, remove, () => blobs.remove(key)),
    readPlaceId: () => blobs.readPlaceId(),
    keepPlaceId: (id) => blobs.keepPlaceId(id),
    list: (olderThan, workspaceId) => blobs.list(olderThan, workspaceId),
    removeAbandonedUploads: (olderThan) => blobs.removeAbandonedUploads(olderThan),
  };
}

async function observed<Result>(
  observer: StoreObserver,
  what: StoreOperation,
  work: (operation: ObservedOperation) => Promise<Result>,
): Promise<Result> {
  const operation = observer.began(what);
  let result: Result;
  try {
    result = await work(operation);
  } catch (error) {
    operation.over(outcomeOf(error), error);
    throw error;
  }
  operation.over('done');
  return result;
}

/** Notifies both observers. */
export function bothObservers(one: StoreObserver, other: StoreObserver): StoreObserver {
  return {
    batch(changes) {
      one.batch(changes);
      other.batch(changes);
    },
    began(what) {
      const [first, second] = [one.began(what), other.began(what)];
      return {
        sent(changes) {
          first.sent(changes);
          second.sent(changes);
        },
        over(outcome, error) {
          first.over(outcome, error);
          second.over(outcome, error);
        },
      };
    },
  };
}

export function outcomeOf(error: unknown): StoreOutcome {
  return error instanceof WorkspaceError && errorTable[error.code].status < 500 ? 'refused' : 'failed';
}
