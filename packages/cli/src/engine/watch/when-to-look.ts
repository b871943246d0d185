/** Schedules the next pass from events. Times are in milliseconds of one clock that never goes back. */
export interface WhenToLook {
  /** An event occurred in the folder. */
  touched(now: number): void;
  /** Schedules a pass over touched paths and the remote side. */
  lookAt(at: number): void;
  /** Schedules a full scan. */
  readAllAt(at: number): void;
  /** Whether the next pass must read the whole folder. */
  isAllDue(now: number): boolean;
  /** Called when a pass begins. It handles all events so far. */
  begin(): void;
  /**
   * Called when a pass has ended. `isUnsettled`: a file was modified too recently. `wholeScanMs`: duration of the full
   * scan; null without one.
   */
  ended(now: number, pass: { readonly isUnsettled: boolean; readonly wholeScanMs: number | null }): void;
  /** Called after a failure of the server. No pass starts before `at`, whatever happens here. */
  holdUntil(at: number): void;
  setMode(mode: 'events' | 'polling'): void;
  /** Time of the next pass. */
  due(): number;
}

/** Debounce: after this long without events, a file is probably written in full. */
const quietMs = 200;
/** Upper limit of the debounce, counted from the first event. */
const quietMsMax = 2000;
/** Delay before files that were modified too recently are read again. */
const unsettledMs = 2000;
const fullScanMs = 300_000;
const fullScanSpread = 0.25;
/** The share of time that scanning may take. It is larger without events. */
const scanShare = 0.005;
const pollMs = 10_000;
const pollShare = 0.05;

export function createWhenToLook(random: () => number): WhenToLook {
  let mode: 'events' | 'polling' = 'events';
  let plannedAt = 0;
  let firstTouchedAt: number | null = null;
  let lastTouchedAt = 0;
  let pendingUntil = 0;
  let allAt = 0;
  /** Set since the current pass began, which may have read the path before the event. */
  let allAskedAt = Number.POSITIVE_INFINITY;
  const nextFull = (tookMs: number) => {
    if (mode === 'polling') return Math.max(pollMs, tookMs / pollShare);
    const spread = 1 - fullScanSpread + 2 * fullScanSpread * random();
    return Math.max(fullScanMs * spread, tookMs / scanShare);
  };
  return {
    touched(now) {
      firstTouchedAt ??= now;
      lastTouchedAt = now;
    },
    lookAt(at) {
      plannedAt = Math.min(plannedAt, at);
    },
    readAllAt(at) {
      allAt = Math.min(allAt, at);
      allAskedAt = Math.min(allAskedAt, at);
    },
    isAllDue: (now) => mode === 'polling' || allAt <= now,
    begin() {
      firstTouchedAt = null;
      plannedAt = Number.POSITIVE_INFINITY;
      pendingUntil = 0;
      allAskedAt = Number.POSITIVE_INFINITY;
    },
    ended(now, { isUnsettled, wholeScanMs }) {
      if (wholeScanMs !== null) allAt = Math.min(now + nextFull(wholeScanMs), allAskedAt);
      if (isUnsettled) plannedAt = Math.min(plannedAt, now + unsettledMs);
    },
    holdUntil(at) {
      pendingUntil = at;
      plannedAt = Math.min(plannedAt, at);
    },
    setMode(next) {
      mode = next;
    },
    due() {
      const settledAt =
        firstTouchedAt === null
          ? Number.POSITIVE_INFINITY
          : Math.min(lastTouchedAt + quietMs, firstTouchedAt + quietMsMax);
      return Math.max(pendingUntil, Math.min(plannedAt, allAt, settledAt));
    },
  };
}
