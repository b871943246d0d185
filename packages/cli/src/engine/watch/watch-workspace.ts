// docs/sync.md
import { feedPageMax, type ObjectId } from '@stoa/core';
import type { ToldPage } from '../observe/read-feed.ts';
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
  /** Looks at both sides and does what is to be done. Failures of the server that pass are thrown, too. */
  runPass(wishes: PassWishes): Promise<PassEnd>;
  /** Something happened at this path, or in it if it is a folder. */
  onTouched(path: DiskPath): void;
  /** Does what another process asks for, a pass among it. @returns what that process is to be told. */
  serve(request: SyncRequest): Promise<unknown>;
  /** Where the feed was last read to. */
  cursor(): number;
  readonly requests: Pick<RequestBox, 'watch' | 'answer'>;
  isIgnored(path: DiskPath): boolean;
  /** Of what is ignored: it is in the way, and something is to be done as soon as it is gone. */
  isAwaited(path: DiskPath): boolean;
  onEvent(event: WatchEvent): void;
  /** Ends it, after the pass that runs. */
  readonly signal: AbortSignal;
}

export interface PassWishes {
  /** Only what was touched has to be read here. */
  readonly isOnlyTouched: boolean;
  readonly told: ToldPage | null;
}

export interface PassEnd {
  /** Something here was too young to be taken. */
  readonly isUnsettled: boolean;
  /** Nothing differs but what is left out or held. */
  readonly isInSync: boolean;
  /** Whether something waits until a person decides. */
  readonly isHeld: boolean;
  /** Folders as the scan saw them. */
  readonly folders: ReadonlyMap<DiskPath, ObjectId | null>;
  /** How long reading all of the folder took; null where only some of it was read. */
  readonly wholeScanMs: number | null;
  /** When a path that waits is worth another try: milliseconds from now. Null: by nothing but changes. */
  readonly retryInMs: number | null;
}

export type WatchEvent =
  | { readonly event: 'online' }
  /** After each pass that found it so. `cursor`: of the feed. */
  | { readonly event: 'in_sync'; readonly cursor: number; readonly isHeld: boolean }
  | { readonly event: 'offline'; readonly message: string }
  | { readonly event: 'polling'; readonly detail: string };

const firstPauseMs = 1000;
const longestPauseMs = 60_000;
const holdSeconds = 25;
/** Between requests to a server that does not hold them. */
const unheldMs = 2000;
/** How often the folder itself is looked for. */
const rootMs = 5000;
/** After a pass that could not do everything. */
const unfinishedMs = 5000;
/** A timer that comes this much later has slept with its machine. */
const lateMs = 10_000;
const requestsMax = 100;

/**
 * Keeps both sides the same for as long as it runs: a pass at the start, when something changed here and has settled,
 * when the feed has news, when another process asks, and now and then in any case, as events are only hints. A server
 * that fails for now never ends it.
 *
 * @throws RemoteFailure that does not pass; FolderGoneError; StateWriteError.
 */
export async function watchWorkspace(options: WatchOptions): Promise<void> {
  const { pace, signal, onEvent, requests } = options;
  const when = createWhenToLook(() => pace.random());
  const asked: { readonly id: string; readonly request: SyncRequest }[] = [];
  const bell = createBell();
  let told: ToldPage | null = null;
  const news = followNews(options, (page) => {
    told = page;
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
  let toldMode: 'events' | 'polling' = 'events';
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      when.setMode(watch.mode);
      if (watch.mode !== toldMode && watch.mode === 'polling') {
        onEvent({ event: 'polling', detail: watch.detail ?? '' });
      }
      toldMode = watch.mode;
      news.throwIfFailed();
      const next = asked.shift();
      if (next !== undefined) {
        await answer(next.id, next.request);
        continue;
      }
      if (when.due() <= pace.now()) {
        await pass();
        continue;
      }
      // No event tells that the folder itself was renamed, removed or unmounted.
      await options.folder.readIdentity();
      await waitUntil(Math.min(when.due(), pace.now() + rootMs));
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    news.end();
    box.close();
    watch.close();
  }

  /** A server that fails for now is told to who asked, too. */
  async function answer(id: string, request: SyncRequest): Promise<void> {
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
    const wishes = { isOnlyTouched: !when.isAllDue(pace.now()), told };
    told = null;
    when.begin();
    news.pause();
    try {
      const end = await options.runPass(wishes);
      const { isUnsettled, isInSync, isHeld, folders, wholeScanMs, retryInMs } = end;
      if (failures > 0) onEvent({ event: 'online' });
      failures = 0;
      when.ended(pace.now(), { isUnsettled, wholeScanMs });
      if (retryInMs !== null) when.lookAt(pace.now() + retryInMs);
      if (await watch.check(folders, pace.now())) when.readAllAt(pace.now());
      if (isInSync && !isUnsettled) onEvent({ event: 'in_sync', cursor: options.cursor(), isHeld });
      if (!isInSync) when.lookAt(pace.now() + unfinishedMs);
    } catch (error) {
      // Ended in the middle: the next start goes on from what was committed.
      if (signal.aborted) return;
      if (!(error instanceof RemoteFailure) || error.kind === 'stopped') throw error;
      failures += 1;
      if (failures === 1) onEvent({ event: 'offline', message: error.message });
      when.holdUntil(pace.now() + pauseMs(failures, error.retryAfterSeconds, pace.random()));
    }
    news.resume();
  }

  /** Until then, or until something may have changed that. */
  async function waitUntil(at: number): Promise<void> {
    const ringing = bell.next();
    await pace.sleep(at - pace.now(), ringing);
    if (!ringing.aborted && pace.now() - at > lateMs) {
      when.readAllAt(pace.now());
      news.restart();
    }
  }
}

/** Wakes who waits for it. */
function createBell() {
  let current = new AbortController();
  return {
    ring: () => current.abort(),
    /** Aborts at the next ring. One that came while nobody waited counts. */
    next(): AbortSignal {
      if (current.signal.aborted) {
        current = new AbortController();
        return AbortSignal.abort();
      }
      return current.signal;
    },
  };
}

/** Holds a request at the feed, and tells what comes after the cursor: the pass goes on from there. */
function followNews({ remote, pace, cursor, signal }: WatchOptions, onNews: (told: ToldPage | null) => void) {
  let isPaused = true;
  let isOver = false;
  let failed: unknown = null;
  let failures = 0;
  let holding = new AbortController();
  let bell = new AbortController();

  const hold = async (held: AbortSignal): Promise<void> => {
    const from = cursor();
    const askedAt = pace.now();
    const query = { cursor: from, limit: feedPageMax, waitSeconds: holdSeconds };
    const page = await remote.readChanges(query, held);
    failures = 0;
    if (page.nextSeq !== from || page.head !== from) {
      // Until the pass has read it, it would be told again and again.
      isPaused = true;
      onNews({ after: from, page });
    } else if (pace.now() - askedAt < unheldMs) await pace.sleep(unheldMs, held);
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      if (isPaused) {
        await pace.sleep(longestPauseMs, bell.signal);
        continue;
      }
      const held = holding.signal;
      try {
        await hold(held);
      } catch (error) {
        if (held.aborted) continue;
        if (!(error instanceof RemoteFailure) || error.kind === 'stopped') {
          failed = error;
          isPaused = true;
          onNews(null);
          continue;
        }
        failures += 1;
        // A pass finds out whether the server is away.
        if (failures === 1) onNews(null);
        await pace.sleep(pauseMs(failures, error.retryAfterSeconds, pace.random()), held);
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

/** Doubling up to a minute, half of it by chance; never sooner than the server asks. */
function pauseMs(failures: number, askedSeconds: number | null, random: number): number {
  const doubled = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 30));
  return Math.max((askedSeconds ?? 0) * 1000, doubled / 2 + (doubled / 2) * random);
}
