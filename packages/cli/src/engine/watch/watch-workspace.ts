// docs/sync.md
import { retryPauseMs } from '@stoa/client/retry';
import { feedPageMax, type ObjectId } from '@stoa/core';
import type { ReportedPage } from '../observe/read-feed.ts';
import type { DiskPath, LocalFolder } from '../ports/local-folder.ts';
import type { Pace } from '../ports/pace.ts';
import { RemoteFailure, type RemoteWorkspace } from '../ports/remote-workspace.ts';
import type { RequestBox, SyncRequest } from '../ports/request-box.ts';
import { armWatch } from './arm-watch.ts';
import { createWhenToLook } from './when-to-look.ts';

export interface WatchOptions {
  readonly folder: Pick<LocalFolder, 'watch' | 'readIdentity'>;
  readonly remote: Pick<RemoteWorkspace, 'readChanges'>;
  readonly pace: Pace;
  /** Runs a pass. Also throws temporary errors of the server. */
  runPass(options: PassOptions): Promise<PassEnd>;
  /** An event occurred at this path or, for a folder, in it. */
  onTouched(path: DiskPath): void;
  /** Handles a request of another process, which may be for a pass. @returns the response to that process */
  serve(request: SyncRequest): Promise<unknown>;
  /** Position up to which the feed was read. */
  cursor(): number;
  readonly requests: Pick<RequestBox, 'watch' | 'answer'>;
  isIgnored(path: DiskPath): boolean;
  /** Whether an ignored path is in the way, so that sync must act as soon as it is gone. */
  isAwaited(path: DiskPath): boolean;
  onEvent(event: WatchEvent): void;
  /** Ends the watch after the current pass. */
  readonly signal: AbortSignal;
}

export interface PassOptions {
  /** Only paths with events must be read. */
  readonly isOnlyTouched: boolean;
  readonly reported: ReportedPage | null;
}

export interface PassEnd {
  /** Some local file was modified too recently. */
  readonly isUnsettled: boolean;
  /** Both sides match, apart from skipped and pending changes. */
  readonly isInSync: boolean;
  /** Whether changes wait for the user's confirmation. */
  readonly isPending: boolean;
  /** Folders of the scan. */
  readonly folders: ReadonlyMap<DiskPath, ObjectId | null>;
  /** Duration of a full scan; null if only parts were read. */
  readonly wholeScanMs: number | null;
  /** Milliseconds until the next useful try of a waiting path; null: only after a change. */
  readonly retryInMs: number | null;
}

export type WatchEvent =
  | { readonly event: 'online' }
  /** Sent after each pass that found both sides equal. `cursor` is that of the feed. */
  | { readonly event: 'in_sync'; readonly cursor: number; readonly isHeld: boolean }
  | { readonly event: 'offline'; readonly message: string }
  | { readonly event: 'polling'; readonly detail: string };

/** Wakes a paused loop only to find that it is still paused. */
const pausedMs = 60_000;
const holdSeconds = 25;
/** Interval between feed requests if the server does not hold them open. */
const unheldMs = 2000;
/** Interval of checks that the folder still exists. */
const rootMs = 5000;
/** Delay after an unfinished pass. */
const unfinishedMs = 5000;
/** A timer delayed by this much means that the machine was asleep. */
const lateMs = 10_000;
const requestsMax = 100;

/**
 * Keeps both sides in sync while it runs. It starts a pass at the beginning, after local changes have settled, on news
 * in the feed and on requests of other processes. Events are only hints, so it also starts one at regular intervals.
 * Temporary failures of the server never end it.
 *
 * @throws RemoteFailure that is permanent; FolderGoneError; StateWriteError
 */
export async function watchWorkspace(options: WatchOptions): Promise<void> {
  const { pace, signal, onEvent, requests } = options;
  const when = createWhenToLook(() => pace.random());
  const asked: { readonly id: string; readonly request: SyncRequest }[] = [];
  const bell = createBell();
  let reported: ReportedPage | null = null;
  const news = followNews(options, (page) => {
    reported = page;
    when.lookAt(pace.now());
    bell.ring();
  });
  const watch = await armWatch(options.folder, {
    isIgnored: options.isIgnored,
    isAwaited: options.isAwaited,
    now: pace.now(),
    onEvent: (event) => {
      if (event.kind === 'touched') {
        options.onTouched(event.path);
        when.touched(pace.now());
      } else when.readAllAt(pace.now());
      bell.ring();
    },
  });
  const box = await requests.watch((id, request) => {
    if (asked.length >= requestsMax) {
      const error = { code: 'busy', message: `${requestsMax} others wait already` };
      void requests.answer(id, { ok: false, error });
      return;
    }
    asked.push({ id, request });
    bell.ring();
  });
  let failures = 0;
  let reportedMode: 'events' | 'polling' = 'events';
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      when.setMode(watch.mode);
      if (watch.mode !== reportedMode && watch.mode === 'polling') {
        onEvent({ event: 'polling', detail: watch.detail ?? '' });
      }
      reportedMode = watch.mode;
      news.throwIfFailed();
      const next = asked.shift();
      if (next !== undefined) {
        await serveRequest(next.id, next.request);
        continue;
      }
      if (when.due() <= pace.now()) {
        await pass();
        continue;
      }
      // No event reports that the folder itself was renamed, removed or unmounted.
      await options.folder.readIdentity();
      await waitUntil(Math.min(when.due(), pace.now() + rootMs));
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    news.end();
    box.close();
    watch.close();
  }

  /** Also reports a temporary failure of the server to the requesting process. */
  async function serveRequest(id: string, request: SyncRequest): Promise<void> {
    news.pause();
    try {
      await requests.answer(id, await options.serve(request));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RemoteFailure)) throw error;
      const { kind: code, message } = error;
      await requests.answer(id, { ok: false, error: { code, message } });
    }
    news.resume();
    when.lookAt(pace.now());
  }

  async function pass(): Promise<void> {
    const given = { isOnlyTouched: !when.isAllDue(pace.now()), reported };
    reported = null;
    when.begin();
    news.pause();
    try {
      const end = await options.runPass(given);
      const { isUnsettled, isInSync, isPending, folders, wholeScanMs, retryInMs } = end;
      if (failures > 0) onEvent({ event: 'online' });
      failures = 0;
      when.ended(pace.now(), { isUnsettled, wholeScanMs });
      if (retryInMs !== null) when.lookAt(pace.now() + retryInMs);
      if (await watch.check(folders, pace.now())) when.readAllAt(pace.now());
      if (isInSync && !isUnsettled)
        onEvent({ event: 'in_sync', cursor: options.cursor(), isHeld: isPending });
      if (!isInSync) when.lookAt(pace.now() + unfinishedMs);
    } catch (error) {
      // Aborted in the middle. The next start continues from the last commit.
      if (signal.aborted) return;
      if (!(error instanceof RemoteFailure) || error.kind === 'stopped') throw error;
      failures += 1;
      if (failures === 1) onEvent({ event: 'offline', message: error.message });
      when.holdUntil(pace.now() + retryPauseMs(failures, error.retryAfterSeconds, pace.random()));
    }
    news.resume();
  }

  /** Waits until then, or until an event may change the due time. */
  async function waitUntil(at: number): Promise<void> {
    const ringing = bell.next();
    await pace.sleep(Math.max(0, at - pace.now()), ringing);
    if (!ringing.aborted && pace.now() - at > lateMs) {
      when.readAllAt(pace.now());
      news.restart();
    }
  }
}

/** Wakes a waiting loop. */
function createBell() {
  let current = new AbortController();
  return {
    ring: () => current.abort(),
    /** Aborts at the next ring. A ring without a waiting loop counts. */
    next(): AbortSignal {
      if (current.signal.aborted) {
        current = new AbortController();
        return AbortSignal.abort();
      }
      return current.signal;
    },
  };
}

/** Long-polls the feed and reports pages after the cursor. The pass continues from there. */
function followNews(
  { remote, pace, cursor, signal }: WatchOptions,
  onNews: (reported: ReportedPage | null) => void,
) {
  let isPaused = true;
  let isOver = false;
  let failed: unknown = null;
  let failures = 0;
  let holding = new AbortController();
  let bell = new AbortController();

  const hold = async (pending: AbortSignal): Promise<void> => {
    const from = cursor();
    const askedAt = pace.now();
    const query = { cursor: from, limit: feedPageMax, waitSeconds: holdSeconds };
    const page = await remote.readChanges(query, pending);
    failures = 0;
    if (page.nextSeq !== from || page.head !== from) {
      // Until a pass has read the page, the feed would return it again and again.
      isPaused = true;
      onNews({ after: from, page });
    } else if (pace.now() - askedAt < unheldMs) await pace.sleep(unheldMs, pending);
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      if (isPaused) {
        await pace.sleep(pausedMs, bell.signal);
        continue;
      }
      const pending = holding.signal;
      try {
        await hold(pending);
      } catch (error) {
        if (pending.aborted) continue;
        if (!(error instanceof RemoteFailure) || error.kind === 'stopped') {
          failed = error;
          isPaused = true;
          onNews(null);
          continue;
        }
        failures += 1;
        // The next pass finds out whether the server is unavailable.
        if (failures === 1) onNews(null);
        await pace.sleep(retryPauseMs(failures, error.retryAfterSeconds, pace.random()), pending);
      }
    }
  };
  const interrupt = () => {
    holding.abort(new Error('interrupted'));
    holding = new AbortController();
    bell.abort();
    bell = new AbortController();
  };
  const end = () => {
    isOver = true;
    interrupt();
  };
  signal.addEventListener('abort', end, { once: true });
  void run();
  return {
    pause() {
      isPaused = true;
      interrupt();
    },
    resume() {
      isPaused = false;
      interrupt();
    },
    restart: interrupt,
    end,
    throwIfFailed() {
      if (failed !== null) throw failed;
    },
  };
}
