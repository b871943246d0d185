import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadOf } from '../../../../../tests/support/thread-of.ts';
import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../../src/storage/sqlite/open-sqlite-store.ts';

export interface TemporaryStore extends AsyncDisposable {
  readonly store: MetadataStore;
  readonly file: string;
  readonly fatalErrors: readonly Error[];
}

/** A SQLite store with the scripts of these tests, in a folder of its own that goes with it. */
export async function openTemporaryStore(
  folder?: string,
  options: Pick<SqliteStoreOptions, 'checkpointPages'> = {},
): Promise<TemporaryStore> {
  const directory = folder ?? (await mkdtemp(join(tmpdir(), 'stoa-store-')));
  const file = join(directory, 'stoa.db');
  const fatalErrors: Error[] = [];
  const store = await openSqliteStore({
    file,
    plans: { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 1_000_000 },
    writerUrl: threadOf(new URL('./store-writer-thread.ts', import.meta.url)),
    ...options,
    onFatal: (error) => fatalErrors.push(error),
  });
  return {
    store,
    file,
    fatalErrors,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      if (folder === undefined) await rm(directory, { recursive: true });
    },
  };
}
