import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createThreadAnchorResolver } from './anchoring/thread-anchor-resolver.ts';
import { type Auth, createAuth, loadSecret } from './auth/index.ts';
import type { Config } from './config.ts';
import {
  createMarkdownRenderer,
  type MarkdownRenderer,
} from './http/share-pages/markdown/markdown-renderer.ts';
import { prepareDataDir } from './prepare-data-dir.ts';
import { type Anchors, createAnchors } from './service/comments/anchors.ts';
import { createFeedWaiters, type FeedWaiters } from './service/feed/feed-waiters.ts';
import { createPathIndexes, type PathIndexes } from './service/search/path-index-cache.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createShareKeys, type ShareKeys } from './service/shares/share-keys.ts';
import { createViewCounter, type ViewCounter } from './service/shares/view-counter.ts';
import { createThemeCleaner, type ThemeCleaner } from './service/themes/theme-cleaner.ts';
import { openDiskBlobStore } from './storage/blobs/disk-blob-store.ts';
import { type SweepReport, sweepBlobs } from './storage/blobs/sweep-blobs.ts';
import { openSqliteStore } from './storage/sqlite/open-sqlite-store.ts';

/** Everything below the interfaces, on the adapters that the settings ask for. */
export interface Deps extends AsyncDisposable {
  readonly service: ServiceDeps & {
    readonly feedWaiters: FeedWaiters;
    readonly pathIndexes: PathIndexes;
    readonly themes: ThemeCleaner;
    readonly anchors: Anchors;
    readonly shareKeys: ShareKeys;
    readonly shareViews: ViewCounter;
  };
  readonly auth: Auth;
  readonly markdown: MarkdownRenderer;
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
  const shareViews = createViewCounter(base, listeners.reportProblem);
  const anchorResolver = createThreadAnchorResolver(new URL('./anchoring-thread.ts', import.meta.url));
  const markdown = createMarkdownRenderer(new URL('./markdown-thread.ts', import.meta.url));
  const themes = createThemeCleaner(new URL('./theme-thread.ts', import.meta.url));
  return {
    service: {
      ...base,
      blobs,
      plans,
      seedWorkspaces,
      feedWaiters,
      pathIndexes: createPathIndexes(store),
      themes,
      anchors: createAnchors(anchorResolver),
      shareKeys: createShareKeys(secret),
      shareViews,
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
    markdown,
    sweep: (signal) => sweepBlobs({ store, blobs, clock: base.clock }, signal),
    async [Symbol.asyncDispose]() {
      feedWaiters[Symbol.dispose]();
      await themes[Symbol.asyncDispose]();
      await anchorResolver[Symbol.asyncDispose]();
      await markdown[Symbol.asyncDispose]();
      await shareViews[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** 160 random bits behind a prefix that says what it names. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('base64url')}`;
}
