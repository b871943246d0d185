// docs/decisions/0017-several-nodes.md
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import { type Auth, createAuth, loadSecret, makeSecret } from './auth/index.ts';
import { createSemaphore, type SemaphoreBounds } from './concurrency/semaphore.ts';
import { describeBlobs } from './config/describe-config.ts';
import type { Config } from './config/parse-config.ts';
import { needsDataDir } from './config/storage-settings.ts';
import type { MarkdownRenderer } from './http/pages/share/markdown/markdown-renderer.ts';
import type { MessageReader } from './http/request/message-reader.ts';
import { measureContents, measureDatabase, type StoreObserver } from './metrics/measure-stores.ts';
import { createAnchors } from './service/comments/anchors.ts';
import { createIndexedTexts } from './service/content-search/indexed-texts.ts';
import { createFeedWaiters } from './service/feed/feed-waiters.ts';
import { currentParty } from './service/people/current-party.ts';
import type { BlobStore } from './service/ports/blob-store.ts';
import type { MetadataStore } from './service/ports/metadata-store.ts';
import type { WordIndex } from './service/ports/word-index.ts';
import { scripts } from './service/scripts.ts';
import { createCurrentFiles } from './service/search/current-files.ts';
import { loadSharedSecret } from './service/secrets/load-shared-secret.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createShareKeys } from './service/shares/share-keys.ts';
import { createViewCounter } from './service/shares/view-counter.ts';
import { databaseFile, prepareDataDir, restoreMarker } from './start/prepare-data-dir.ts';
import { rejectOtherLocation, rejectOtherSecret } from './start/reject-disagreeing-node.ts';
import { rejectMoved } from './start/reject-moved.ts';
import { StartError } from './start/start-error.ts';
import { openDiskBlobStore } from './storage/blobs/disk/open-disk-blob-store.ts';
import { openS3BlobStore } from './storage/blobs/s3/s3-blob-store.ts';
import { type SweepReport, sweepBlobs } from './storage/blobs/sweep-blobs.ts';
import type { HeldDatabase } from './storage/held-database.ts';
import { holdSqlite } from './storage/sqlite/hold-sqlite.ts';
import { openSqliteStore } from './storage/sqlite/open-sqlite-store.ts';
import { removeDamagedIndex } from './storage/word-index/damaged-index.ts';
import { createSqliteWordIndex, indexInThisThread } from './storage/word-index/sqlite-word-index.ts';
import { traceSearches } from './tracing/trace-searches.ts';
import type { SearchObserver } from './tracing/traces.ts';
import { createWorkers, type Workers } from './workers/create-workers.ts';

/** Everything below the interfaces, with the adapters that the settings select. */
export interface Deps extends AsyncDisposable {
  readonly service: ServiceDeps;
  readonly auth: Auth;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  /** Removes stored bytes that no row names; stops early when aborted. */
  sweep(signal: AbortSignal): Promise<SweepReport>;
}

export interface DepsListeners {
  /** The storage failed permanently: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** Reports a problem outside a request. */
  readonly reportProblem: (message: string, cause: unknown) => void;
  /** Set when metrics or traces are enabled. */
  readonly stores?: StoreObserver | null;
  /** Set when traces are enabled. */
  readonly searches?: SearchObserver | null;
}

/**
 * Dependencies of an operator command: the database, without the parts that serve requests. Commands open the rest on
 * demand.
 */
export interface OperatorDeps extends AsyncDisposable {
  readonly service: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'plans'>;
  openWordIndex(): Promise<WordIndex>;
  openBlobs(): Promise<BlobStore>;
}

/**
 * Concurrent downloads of whole workspaces. Each lasts as long as its client takes, so two users must not be able to
 * occupy them all.
 */
const downloadsMax = 32;
const downloadBounds: SemaphoreBounds = {
  atOnceOfOne: 2,
  waitingMax: 64,
  waitMs: 10_000,
  overloadError: () =>
    new WorkspaceError('overloaded', {}, 'Too many workspaces are being downloaded: try again later'),
};

/**
 * Selects the adapters, as the only module that does. Disposing finishes accepted changes and closes the store.
 * @throws StartError when the data directory, the database or the object store cannot be used.
 */
export async function createDeps(config: Config, listeners: DepsListeners): Promise<Deps> {
  const opened = await openStore(config, listeners);
  const store = listeners.stores ? measureDatabase(opened, listeners.stores) : opened;
  let blobs: BlobStore;
  let secret: string;
  try {
    await rejectMoved({ store });
    const openedBlobs = await openBlobs(config, listeners);
    blobs = listeners.stores ? measureContents(openedBlobs, listeners.stores) : openedBlobs;
    secret = await loadSessionSecret(config, store);
    await rejectDisagreeingNode(config, { store, clock: Date.now }, blobs, secret);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  repairContentIndex(config, listeners);
  const { plans, seedWorkspaces } = config;
  const base = { store, clock: Date.now, ids: randomId };
  const feedWaiters = createFeedWaiters(store);
  const shareViews = createViewCounter(base, listeners.reportProblem);
  const workers = createWorkers(plans);
  const wordIndex = await openWordIndex(config, workers.wordIndex);
  const searches = {
    currentFiles: createCurrentFiles(store),
    contentScanner: workers.contentScanner,
  };
  return {
    service: {
      ...base,
      blobs,
      plans,
      seedWorkspaces,
      downloads: createSemaphore(downloadsMax, downloadBounds),
      feedWaiters,
      wordIndex,
      ...(listeners.searches ? traceSearches(searches, listeners.searches) : searches),
      indexedTexts: createIndexedTexts(wordIndex, listeners.reportProblem),
      themes: workers.themes,
      frontMatter: workers.frontMatter,
      anchors: createAnchors(workers.askAnchoring),
      editing: workers.editing,
      shareKeys: createShareKeys(secret),
      shareViews,
    },
    auth: createAuth({
      ...base,
      secret,
      baseUrl: config.baseUrl,
      trustedOrigins: config.trustedOrigins,
      signup: config.signup,
      provider: config.provider,
      appUrl: config.appUrl,
      signinLimit: config.signinLimit,
      pause: (milliseconds) => wait(milliseconds),
      reportProblem: listeners.reportProblem,
    }),
    markdown: workers.markdown,
    messages: workers.messages,
    sweep: (signal) => sweepBlobs({ store, blobs, clock: base.clock }, signal),
    async [Symbol.asyncDispose]() {
      feedWaiters[Symbol.dispose]();
      await workers[Symbol.asyncDispose]();
      await wordIndex[Symbol.asyncDispose]();
      await shareViews[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/**
 * Creates the dependencies of operator commands, without an object store and a secret.
 * @throws StartError when the data directory or the database cannot be used.
 */
export async function createOperatorDeps(config: Config, listeners: DepsListeners): Promise<OperatorDeps> {
  const store = await openStore(config, listeners);
  return {
    service: { store, clock: Date.now, ids: randomId, plans: config.plans },
    openWordIndex: () => openWordIndex(config, null),
    openBlobs: () => openBlobs(config, listeners),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function openStore(config: Config, listeners: DepsListeners): Promise<MetadataStore> {
  const { database, dataDir, plans } = config;
  const { onFatal, stores } = listeners;
  const storeListeners = { onFatal, onBatch: (changes: number) => stores?.batch(changes), currentParty };
  if (needsDataDir(config)) await prepareDataDir(dataDir, listeners.reportProblem);
  switch (database.kind) {
    case 'sqlite':
      return startStep(() =>
        openSqliteStore({
          file: join(dataDir, databaseFile),
          plans,
          writerUrl: new URL('./workers/writer-worker.ts', import.meta.url),
          ...storeListeners,
        }),
      );
    case 'postgres': {
      const { url, poolSize } = database;
      const { openPostgresStore } = await import('./storage/postgres/open-postgres-store.ts');
      return startStep(() =>
        openPostgresStore({ url, poolSize, plans, scripts, ...listeners, ...storeListeners }),
      );
    }
  }
}

/**
 * Whether the settings name an existing installation. Creates and changes nothing.
 * @throws StartError when the database is unreachable.
 */
export async function isInstalled({ database, dataDir }: Config): Promise<boolean> {
  switch (database.kind) {
    case 'sqlite':
      // An interrupted restore counts, so that it is rejected with its own message.
      return [databaseFile, restoreMarker].some((name) => existsSync(join(dataDir, name)));
    case 'postgres': {
      const { isInstalledInPostgres } = await import('./storage/postgres/prepare-database.ts');
      return startStep(() => isInstalledInPostgres(database.url));
    }
  }
}

/**
 * Opens the database of the settings exclusively.
 * @throws NotHeld when a service or another command has it open, or it is not the expected one.
 */
export async function holdDatabase(
  { database, dataDir }: Config,
  expect: 'filled' | 'any',
): Promise<HeldDatabase> {
  switch (database.kind) {
    case 'sqlite':
      return holdSqlite(join(dataDir, databaseFile), expect);
    case 'postgres': {
      const { holdPostgres } = await import('./storage/postgres/hold-postgres.ts');
      return holdPostgres(database.url, expect);
    }
  }
}

/**
 * Must run before the file is opened. The service also runs without an index: damage that remains is reported again by
 * its users.
 */
function repairContentIndex({ database, dataDir }: Config, { reportProblem }: DepsListeners): void {
  if (database.kind !== 'sqlite') return;
  try {
    if (!removeDamagedIndex(join(dataDir, contentIndexFile))) return;
    reportProblem(
      'the content index was damaged and is being rebuilt; until then searches read the files',
      null,
    );
  } catch (error) {
    reportProblem('the content index cannot be read', error);
  }
}

const contentIndexFile = 'content-index.db';

/** In the service's database if that supports it, else in a file next to it. @param workers null: in this thread */
async function openWordIndex(
  { database, dataDir }: Config,
  workers: Workers['wordIndex'] | null,
): Promise<WordIndex> {
  switch (database.kind) {
    case 'sqlite': {
      const { asking, adding } = workers ?? { asking: indexInThisThread, adding: indexInThisThread };
      return createSqliteWordIndex(join(dataDir, contentIndexFile), { asking, adding });
    }
    case 'postgres': {
      const index = await import('./storage/word-index/postgres-word-index.ts');
      return index.createPostgresWordIndex(database.url, workers?.listing ?? index.listInThisThread);
    }
  }
}

/** Opens the blob store of the settings. @throws StartError when it cannot be used. */
export async function openBlobs({ blobs, dataDir }: Config, listeners: DepsListeners): Promise<BlobStore> {
  switch (blobs.kind) {
    case 'disk':
      return openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal: listeners.onFatal });
    case 's3': {
      const { location } = blobs;
      return startStep(() => openS3BlobStore({ location, reportProblem: listeners.reportProblem }));
    }
  }
}

/** A SQLite database has a single node, so its secret needs no check. */
async function rejectDisagreeingNode(
  config: Config,
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  blobs: BlobStore,
  secret: string,
): Promise<void> {
  if (config.database.kind === 'postgres') {
    await rejectOtherSecret(deps, secret, config.secret === null ? 'database' : 'setting');
  }
  const where = config.blobs.kind === 's3' ? describeBlobs(config.blobs) : join(config.dataDir, 'blobs');
  await startStep(() => rejectOtherLocation(deps, blobs, where));
}

/** With several nodes, the secret must be in the database, where all of them find it. */
function loadSessionSecret({ secret, database, dataDir }: Config, store: MetadataStore): Promise<string> {
  if (secret !== null) return Promise.resolve(secret);
  switch (database.kind) {
    case 'sqlite':
      return loadSecret(join(dataDir, 'session-secret'));
    case 'postgres':
      return loadSharedSecret({ store, clock: Date.now }, 'session', makeSecret);
  }
}

/** Adapters fail with messages for the operator, which become start errors. */
async function startStep<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof Error ? new StartError(error.message, { cause: error }) : error;
  }
}

/** 160 random bits after a prefix that names the kind. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('base64url')}`;
}
