// Our own, because libraries have no fairness by key and no bound on the number and time of waiting callers.
import { WorkspaceError } from '@stoa/core';

/** Limits the number of concurrent tasks. A bounded number of others wait. */
export interface Semaphore {
  /**
   * For work that finds out while it runs that it needs a permit.
   * @param keys the owner of the work, widest first: a workspace, then a share link in it. Keys are served
   * round-robin, however many of each wait. Without keys, first come, first served.
   * @returns a function that releases the permit; only the first call counts
   * @throws WorkspaceError `overloaded` if too many wait or one waited too long, `shutting_down` after `close`
   */
  acquire(...keys: readonly string[]): Promise<() => void>;
  /** Acquires a permit, and releases it when the work is done. */
  run<Result>(work: () => Promise<Result>, ...keys: readonly string[]): Promise<Result>;
  /** Rejects new and waiting callers. Resolves when every permit was released. */
  close(): Promise<void>;
}

export interface SemaphoreBounds {
  readonly waitingMax: number;
  /** Limit of waiting callers of one widest key. */
  readonly waitingOfOneMax?: number;
  /** Limit of permits of one widest key. */
  readonly atOnceOfOne?: number;
  readonly waitMs?: number;
  /** Makes the error that replaces the plain `overloaded`. */
  readonly overloadError?: () => Error;
}

/** The state of one key while it has waiting or running work. */
interface Party {
  readonly name: string;
  /** When it was last served, counted in permits. A new key comes before the key served last, after all others. */
  lastServed: number;
  holding: number;
  waiting: number;
}

interface Waiter {
  readonly parties: readonly Party[];
  readonly timer: NodeJS.Timeout | null;
  resolve(release: () => void): void;
  reject(error: Error): void;
}

/** The name of a first key must not be a prefix of another. Ids are not. */
const nameSeparator = '\n';

export function createSemaphore(count: number, bounds: SemaphoreBounds): Semaphore {
  const { waitingMax, waitMs, overloadError: error = () => new WorkspaceError('overloaded') } = bounds;
  const { waitingOfOneMax = waitingMax, atOnceOfOne = count } = bounds;
  const waiting: Waiter[] = [];
  const parties = new Map<string, Party>();
  let taken = 0;
  let served = 0;
  let closing = false;
  let onIdle: (() => void) | null = null;

  function partiesOf(keys: readonly string[]): readonly Party[] {
    return keys.map((_, at) => {
      const name = keys.slice(0, at + 1).join(nameSeparator);
      const party = parties.get(name) ?? { name, lastServed: served - 0.5, holding: 0, waiting: 0 };
      parties.set(name, party);
      return party;
    });
  }

  function forgetIdle(those: readonly Party[]): void {
    for (const { name, holding, waiting } of those) if (holding + waiting === 0) parties.delete(name);
  }

  function mayTake([widest]: readonly Party[]): boolean {
    return taken < count && (widest === undefined || widest.holding < atOnceOfOne);
  }

  function take(those: readonly Party[]): () => void {
    taken += 1;
    served += 1;
    for (const party of those) {
      party.holding += 1;
      party.lastServed = served;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken -= 1;
      for (const party of those) party.holding -= 1;
      forgetIdle(those);
      serveWaiting();
      if (taken === 0) onIdle?.();
    };
  }

  function leave(waiter: Waiter): void {
    waiting.splice(waiting.indexOf(waiter), 1);
    if (waiter.timer !== null) clearTimeout(waiter.timer);
    for (const party of waiter.parties) party.waiting -= 1;
  }

  function nextWaiter(): Waiter | undefined {
    if (parties.size === 0) return waiting[0];
    let next: Waiter | undefined;
    for (const waiter of waiting) {
      if (!mayTake(waiter.parties)) continue;
      if (next === undefined || isBefore(waiter.parties, next.parties)) next = waiter;
    }
    return next;
  }

  function serveWaiting(): void {
    while (taken < count) {
      const next = nextWaiter();
      if (next === undefined) return;
      leave(next);
      next.resolve(take(next.parties));
    }
  }

  async function acquire(...keys: readonly string[]): Promise<() => void> {
    if (closing) throw new WorkspaceError('shutting_down');
    const those = partiesOf(keys);
    if (mayTake(those)) return take(those);
    if (waiting.length >= waitingMax || (those[0]?.waiting ?? 0) >= waitingOfOneMax) {
      forgetIdle(those);
      throw error();
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        leave(waiter);
        forgetIdle(those);
        reject(error());
      };
      const timer = waitMs === undefined ? null : setTimeout(giveUp, waitMs);
      const waiter: Waiter = { parties: those, timer, resolve, reject };
      waiting.push(waiter);
      for (const party of those) party.waiting += 1;
    });
  }

  return {
    acquire,
    async run(work, ...keys) {
      const release = await acquire(...keys);
      try {
        return await work();
      } finally {
        release();
      }
    },
    close() {
      closing = true;
      for (const waiter of [...waiting]) {
        leave(waiter);
        forgetIdle(waiter.parties);
        waiter.reject(new WorkspaceError('shutting_down'));
      }
      return new Promise((resolve) => {
        onIdle = resolve;
        if (taken === 0) resolve();
      });
    },
  };
}

/** Whether the first is served before the second: the one whose key, from the widest on, was served longer ago. */
function isBefore(first: readonly Party[], second: readonly Party[]): boolean {
  for (const [at, { lastServed: served }] of first.entries()) {
    const other = second[at]?.lastServed ?? 0;
    if (served !== other) return served < other;
  }
  return false;
}
