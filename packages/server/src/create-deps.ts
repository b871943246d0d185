import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Auth, createAuth, loadSecret } from './auth/index.ts';
import type { Config } from './config.ts';
import { prepareDataDir } from './prepare-data-dir.ts';
import { createFeedWaiters, type FeedWaiters } from './service/feed/feed-waiters.ts';
import { createPathIndexes, type PathIndexes } from './service/search/path-index-cache.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { openDiskBlobStore } from './storage/blobs/disk-blob-store.ts';
import { type SweepReport, sweepBlobs } from './storage/blobs/sweep-blobs.ts';
import { openSqliteStore } from './storage/sqlite/open-sqlite-store.ts';

/** Everything below the interfaces, on the adapters that the settings ask for. */
export interface Deps extends AsyncDisposable {
  readonly service: ServiceDeps & { readonly feedWaiters: FeedWaiters; readonly pathIndexes: PathIndexes };
  readonly auth: Auth;
  /** Removes stored bytes that nothing names any more; stops early when aborted. */
  sweep(signal: AbortSignal): Promise<SweepReport>;
}

export interface DepsListeners {
  /** The storage failed for good: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** Something went wrong beside a request. */
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/**
 * Picks the adapters: the only place that does. Disposing what it made finishes accepted changes and closes the store.
 * @throws StartError when the data directory cannot be used.
 */
export async function createDeps(config: Config, listeners: DepsListeners): Promise<Deps> {
  const { dataDir, plans, seedWorkspaces } = config;
  await prepareDataDir(dataDir);
  const secret = await loadSecret(join(dataDir, 'session-secret'));
  const store = await openSqliteStore({
    file: join(dataDir, 'stoa.db'),
    plans,
    writerUrl: new URL('./writer-thread.ts', import.meta.url),
    onFatal: listeners.onFatal,
  });
  const blobs = await openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal: listeners.onFatal });
  const base = { store, clock: Date.now, ids: randomId };
  const feedWaiters = createFeedWaiters(store);
  return {
    service: {
      ...base,
      blobs,
      plans,
      seedWorkspaces,
      feedWaiters,
      pathIndexes: createPathIndexes(store),
    },
    auth: createAuth({
      ...base,
      secret,
      baseUrl: config.baseUrl,
      trustedOrigins: config.trustedOrigins,
      signup: config.signup,
      signinLimit: config.signinLimit,
      reportProblem: listeners.reportProblem,
    }),
    sweep: (signal) => sweepBlobs({ store, blobs, clock: base.clock }, signal),
    async [Symbol.asyncDispose]() {
      feedWaiters[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** 160 random bits behind a prefix that says what it names. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('base64url')}`;
}
