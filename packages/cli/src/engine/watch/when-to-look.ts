/** When the next pass is due, from what happened. Times in milliseconds of one clock that never goes back. */
export interface WhenToLook {
  /** Something happened in the folder. */
  touched(now: number): void;
  /** What was touched, and the other side, has to be looked at then. */
  lookAt(at: number): void;
  /** The whole folder has to be read then. */
  readAllAt(at: number): void;
  /** Whether the next pass is to read the whole folder. */
  isAllDue(now: number): boolean;
  /** A pass begins: what happened until now is its business. */
  begin(): void;
  /**
   * A pass has ended. `isUnsettled`: something was too young to be taken. `wholeScanMs`: what reading all of the folder
   * took, if it was read.
   */
  ended(now: number, pass: { readonly isUnsettled: boolean; readonly wholeScanMs: number | null }): void;
  /** The server failed: not before `at`, whatever happens here. */
  holdUntil(at: number): void;
  setMode(mode: 'events' | 'polling'): void;
  /** The moment of the next pass. */
  due(): number;
}

/** Without an event for this long, what was written may be whole… */
const quietMs = 200;
/** …and this long after the first event it is looked at anyway. */
const quietMsMax = 2000;
/** What was too young is looked at again after the time that it takes to settle. */
const unsettledMs = 2000;
const fullScanMs = 300_000;
const fullScanSpread = 0.25;
/** Scanning may take this share of the time, and without events more. */
const scanShare = 0.005;
const pollMs = 10_000;
const pollShare = 0.05;

export function createWhenToLook(random: () => number): WhenToLook {
  let mode: 'events' | 'polling' = 'events';
  let plannedAt = 0;
  let firstTouchedAt: number | null = null;
  let lastTouchedAt = 0;
  let heldUntil = 0;
  let allAt = 0;
  /** Since the pass that runs has begun: it may have read the place already. */
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
      heldUntil = 0;
      allAskedAt = Number.POSITIVE_INFINITY;
    },
    ended(now, { isUnsettled, wholeScanMs }) {
      if (wholeScanMs !== null) allAt = Math.min(now + nextFull(wholeScanMs), allAskedAt);
      if (isUnsettled) plannedAt = Math.min(plannedAt, now + unsettledMs);
    },
    holdUntil(at) {
      heldUntil = at;
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
      return Math.max(heldUntil, Math.min(plannedAt, allAt, settledAt));
    },
  };
}
