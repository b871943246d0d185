// docs/decisions/0029-several-nodes.md
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { WorkspaceError } from '@stoa/core';
import { type Auth, createAuth, loadSecret, makeSecret } from './auth/index.ts';
import { createSemaphore } from './concurrency/semaphore.ts';
import { openThreadTally, type TallyPlace, tallyPlaces } from './concurrency/thread-tally.ts';
import { describeBlobs } from './config/describe-config.ts';
import type { Config } from './config/parse-config.ts';
import { needsDataDir } from './config/storage-settings.ts';
import type { MarkdownRenderer } from './http/pages/share/markdown/markdown-renderer.ts';
import type { MessageReader } from './http/request/message-reader.ts';
import { measureContents, measureDatabase, type StoreObserver } from './metrics/measure-stores.ts';
import { createAnchors } from './service/comments/anchors.ts';
import { createCurrentContents } from './service/content-search/current-contents.ts';
import { createKnownNotText } from './service/content-search/known-not-text.ts';
import { createFeedWaiters } from './service/feed/feed-waiters.ts';
import type { BlobStore } from './service/ports/blob-store.ts';
import type { ContentIndex } from './service/ports/content-index.ts';
import type { MetadataStore } from './service/ports/metadata-store.ts';
import { scripts } from './service/scripts.ts';
import { createPathIndexes, indexBytesMax } from './service/search/path-index-cache.ts';
import { loadSharedSecret } from './service/secrets/load-shared-secret.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createShareKeys } from './service/shares/share-keys.ts';
import { createViewCounter } from './service/shares/view-counter.ts';
import { databaseFile, prepareDataDir, restoreMarker } from './start/prepare-data-dir.ts';
import { refuseOtherPlace, refuseOtherSecret } from './start/refuse-disagreeing-node.ts';
import { refuseMoved } from './start/refuse-moved.ts';
import { StartError } from './start/start-error.ts';
import { openDiskBlobStore } from './storage/blobs/disk/open-disk-blob-store.ts';
import { openS3BlobStore } from './storage/blobs/s3/s3-blob-store.ts';
import { type SweepReport, sweepBlobs } from './storage/blobs/sweep-blobs.ts';
import { removeDamagedIndex } from './storage/content-index/damaged-index.ts';
import { foldInThisThread } from './storage/content-index/fold-texts.ts';
import { createSqliteContentIndex, indexInThisThread } from './storage/content-index/sqlite-content-index.ts';
import type { HeldDatabase } from './storage/held-database.ts';
import { holdSqlite } from './storage/sqlite/hold-sqlite.ts';
import { joinSqliteStore, openSqliteStore, type SqliteStore } from './storage/sqlite/open-sqlite-store.ts';
import { traceSearches } from './tracing/trace-searches.ts';
import type { SearchObserver } from './tracing/traces.ts';
import { createWorkers, type Workers } from './workers/create-workers.ts';

/** Everything below the interfaces, on the adapters that the settings ask for. */
export interface Deps extends AsyncDisposable {
  readonly service: ServiceDeps;
  readonly auth: Auth;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  /** Removes stored bytes that nothing names any more; stops early when aborted. */
  sweep(signal: AbortSignal): Promise<SweepReport>;
  /** For each further thread of the settings, which has to dispose of its own before these are disposed of. */
  readonly joining: readonly Joining[];
}

export interface DepsListeners {
  /** The storage failed for good: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** Something went wrong beside a request. */
  readonly reportProblem: (message: string, cause: unknown) => void;
  /** Where somebody wants metrics or traces. */
  readonly stores?: StoreObserver | null;
  /** Where somebody wants traces. */
  readonly searches?: SearchObserver | null;
}

/** What a thread beside the one that opened the store needs of it. */
export interface Joining {
  readonly store: MessagePort;
  readonly shareViews: TallyPlace;
}

/** What an operator command needs: the rows, without what serves requests. Only a command that needs more opens it. */
export interface OperatorDeps extends AsyncDisposable {
  readonly service: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'plans'>;
  openContentIndex(): Promise<ContentIndex>;
  openBlobs(): Promise<BlobStore>;
}

/** Downloads of whole workspaces that one thread serves at once: each reads as fast as its client takes it. */
const downloadsMax = 4;
const downloadBounds = {
  atOnceOfOne: 2,
  waitingMax: 16,
  waitMs: 10_000,
  refusal: () =>
    new WorkspaceError('overloaded', {}, 'Too many workspaces are being downloaded: try again later'),
};

/**
 * Picks the adapters: nobody else does. Disposing what it made finishes accepted changes and closes the store.
 * @throws StartError when the data directory, the database or the object store cannot be used.
 */
export async function createDeps(config: Config, listeners: DepsListeners): Promise<Deps> {
  const opened = await openStore(config, listeners);
  const store = measuredStore(opened, listeners);
  let blobs: BlobStore;
  let secret: string;
  try {
    await refuseMoved({ store });
    blobs = await openServedBlobs(config, listeners);
    secret = await loadSessionSecret(config, store);
    await refuseDisagreeingNode(config, { store, clock: Date.now }, blobs, secret);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  repairContentIndex(config, listeners);
  const [shareViews, ...further] = tallyPlaces(config.httpThreads);
  const deps = await depsOver(config, listeners, { store, blobs, secret, shareViews });
  const { letJoin } = opened;
  // On PostgreSQL there are no further ones.
  if (letJoin === undefined) return deps;
  return { ...deps, joining: further.map((place) => ({ store: letJoin(), shareViews: place })) };
}

/**
 * The same in a further thread, over the store that the first one opened: that has looked at everything.
 * @param joining one of `Deps.joining`.
 */
export async function joinDeps(
  config: Config,
  listeners: DepsListeners,
  { store: port, shareViews }: Joining,
): Promise<Deps> {
  const file = join(config.dataDir, databaseFile);
  const joined = joinSqliteStore({ file, port, ...storeListeners(listeners) });
  const store = measuredStore(joined, listeners);
  const blobs = await openServedBlobs(config, listeners);
  const secret = await loadSessionSecret(config, store);
  return depsOver(config, listeners, { store, blobs, secret, shareViews });
}

interface Storage {
  readonly store: MetadataStore;
  readonly blobs: BlobStore;
  readonly secret: string;
  readonly shareViews: TallyPlace;
}

async function depsOver(
  config: Config,
  listeners: DepsListeners,
  { store, blobs, secret, shareViews: viewsPlace }: Storage,
): Promise<Deps> {
  const { plans, seedWorkspaces } = config;
  const base = { store, clock: Date.now, ids: randomId };
  const feedWaiters = createFeedWaiters(store);
  const shareViews = createViewCounter(base, listeners.reportProblem, openThreadTally(viewsPlace));
  const workers = createWorkers(plans);
  const contentIndex = await openContentIndex(config, workers, listeners);
  const searches = {
    pathIndexes: createPathIndexes(store, { indexBytesMax: indexBytesMax / config.httpThreads }),
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
      contentIndex,
      ...(listeners.searches ? traceSearches(searches, listeners.searches) : searches),
      knownNotText: createKnownNotText(contentIndex),
      currentContents: createCurrentContents(),
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
    joining: [],
    async [Symbol.asyncDispose]() {
      feedWaiters[Symbol.dispose]();
      await workers[Symbol.asyncDispose]();
      await contentIndex[Symbol.asyncDispose]();
      await shareViews[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/**
 * The part that operator commands use: they need no object store, and no secret.
 * @throws StartError when the data directory or the database cannot be used.
 */
export async function createOperatorDeps(config: Config, listeners: DepsListeners): Promise<OperatorDeps> {
  const store = await openStore(config, listeners);
  return {
    service: { store, clock: Date.now, ids: randomId, plans: config.plans },
    openContentIndex: () => openContentIndex(config, { contentIndex: contentIndexInThisThread }, listeners),
    openBlobs: () => openBlobs(config, listeners),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function measuredStore(store: MetadataStore, listeners: DepsListeners): MetadataStore {
  return listeners.stores ? measureDatabase(store, listeners.stores) : store;
}

async function openServedBlobs(config: Config, listeners: DepsListeners): Promise<BlobStore> {
  const blobs = await openBlobs(config, listeners);
  return listeners.stores ? measureContents(blobs, listeners.stores) : blobs;
}

function storeListeners({ onFatal, stores }: DepsListeners) {
  return { onFatal, onBatch: (changes: number) => stores?.batch(changes) };
}

async function openStore(
  config: Config,
  listeners: DepsListeners,
): Promise<MetadataStore & Partial<Pick<SqliteStore, 'letJoin'>>> {
  const { database, dataDir, plans } = config;
  if (needsDataDir(config)) await prepareDataDir(dataDir, listeners.reportProblem);
  switch (database.kind) {
    case 'sqlite':
      return startStep(() =>
        openSqliteStore({
          file: join(dataDir, databaseFile),
          plans,
          writerUrl: new URL('./workers/writer-worker.ts', import.meta.url),
          ...storeListeners(listeners),
        }),
      );
    case 'postgres': {
      const { url, poolSize } = database;
      const { openPostgresStore } = await import('./storage/postgres/open-postgres-store.ts');
      return startStep(() =>
        openPostgresStore({ url, poolSize, plans, scripts, ...listeners, ...storeListeners(listeners) }),
      );
    }
  }
}

/**
 * Whether the settings name an installation that is there. Nothing is made or changed.
 * @throws StartError when the database cannot be asked.
 */
export async function isInstalled({ database, dataDir }: Config): Promise<boolean> {
  switch (database.kind) {
    case 'sqlite':
      // What a restore left half is refused by its own words.
      return [databaseFile, restoreMarker].some((name) => existsSync(join(dataDir, name)));
    case 'postgres': {
      const { isInstalledInPostgres } = await import('./storage/postgres/prepare-database.ts');
      return startStep(() => isInstalledInPostgres(database.url));
    }
  }
}

/**
 * The database that the settings name, for one process alone.
 * @throws NotHeld when a service or another command has it open, or it is not what is expected.
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

/** Before anybody has it open. What is wrong beyond repair is reported again by whoever asks it: the service runs without. */
function repairContentIndex({ database, dataDir }: Config, { reportProblem }: DepsListeners): void {
  if (database.kind !== 'sqlite') return;
  try {
    if (!removeDamagedIndex(join(dataDir, contentIndexFile))) return;
    reportProblem(
      'the index of contents was damaged, and is begun anew: until then searches read the files',
      null,
    );
  } catch (error) {
    reportProblem('the index of contents cannot be looked at', error);
  }
}

const contentIndexFile = 'content-index.db';
const contentIndexInThisThread: Workers['contentIndex'] = {
  asking: indexInThisThread,
  adding: indexInThisThread,
  folding: foldInThisThread,
};

/** In the service's database where that can keep it, else in a file beside it. */
async function openContentIndex(
  { database, dataDir }: Config,
  workers: Pick<Workers, 'contentIndex'>,
  { reportProblem }: DepsListeners,
): Promise<ContentIndex> {
  switch (database.kind) {
    case 'sqlite':
      return createSqliteContentIndex(join(dataDir, contentIndexFile), workers.contentIndex);
    case 'postgres': {
      const index = await import('./storage/content-index/postgres-content-index.ts');
      return index.openPostgresContentIndex(database.url, workers.contentIndex.folding, reportProblem);
    }
  }
}

/** Where the settings keep large contents. @throws StartError when it cannot be used. */
export async function openBlobs({ blobs, dataDir }: Config, listeners: DepsListeners): Promise<BlobStore> {
  switch (blobs.kind) {
    case 'disk':
      return openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal: listeners.onFatal });
    case 's3': {
      const { place } = blobs;
      return startStep(() => openS3BlobStore({ place, reportProblem: listeners.reportProblem }));
    }
  }
}

/** One SQLite database has one node: there nobody can have another secret. */
async function refuseDisagreeingNode(
  config: Config,
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  blobs: BlobStore,
  secret: string,
): Promise<void> {
  if (config.database.kind === 'postgres') {
    await refuseOtherSecret(deps, secret, config.secret === null ? 'database' : 'setting');
  }
  const where = config.blobs.kind === 's3' ? describeBlobs(config.blobs) : join(config.dataDir, 'blobs');
  await startStep(() => refuseOtherPlace(deps, blobs, where));
}

/** Where several nodes may be, the secret has to be where all of them find it. */
function loadSessionSecret({ secret, database, dataDir }: Config, store: MetadataStore): Promise<string> {
  if (secret !== null) return Promise.resolve(secret);
  switch (database.kind) {
    case 'sqlite':
      return loadSecret(join(dataDir, 'session-secret'));
    case 'postgres':
      return loadSharedSecret({ store, clock: Date.now }, 'session', makeSecret);
  }
}

/** What an adapter says when it cannot be opened is a sentence for the operator. */
async function startStep<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof Error ? new StartError(error.message, { cause: error }) : error;
  }
}

/** 160 random bits behind a prefix that says what it names. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(20).toString('base64url')}`;
}
