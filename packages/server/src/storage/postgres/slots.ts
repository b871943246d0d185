import { WorkspaceError } from '@stoa/core';

/** A number of places that callers take turns in. */
export interface Slots {
  /** @throws WorkspaceError `overloaded` when too many wait or one waited too long, `shutting_down` after `close`. */
  take(): Promise<void>;
  give(): void;
  /** Refuses who comes and who waits; resolves when every place was given back. */
  close(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

export function createSlots(
  count: number,
  bounds: { readonly waitersMax: number; readonly waitMs: number },
): Slots {
  const waiters: Waiter[] = [];
  let taken = 0;
  let closing = false;
  let onIdle: (() => void) | null = null;
  const tooMany = () => new WorkspaceError('overloaded', {}, 'Too much is waiting for the database.');

  return {
    take() {
      if (closing) return Promise.reject(new WorkspaceError('shutting_down'));
      if (taken < count) {
        taken += 1;
        return Promise.resolve();
      }
      if (waiters.length >= bounds.waitersMax) return Promise.reject(tooMany());
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(tooMany());
        }, bounds.waitMs);
        const waiter = { resolve, reject, timer };
        waiters.push(waiter);
      });
    },
    give() {
      const next = waiters.shift();
      if (next !== undefined) {
        clearTimeout(next.timer);
        next.resolve();
        return;
      }
      taken -= 1;
      if (taken === 0) onIdle?.();
    },
    close() {
      closing = true;
      for (const { reject, timer } of waiters.splice(0)) {
        clearTimeout(timer);
        reject(new WorkspaceError('shutting_down'));
      }
      return new Promise((resolve) => {
        onIdle = resolve;
        if (taken === 0) resolve();
      });
    },
  };
}
