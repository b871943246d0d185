// docs/decisions/0017-several-nodes.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import { PostgresError } from './postgres-error.ts';
import { backoffMs } from './retry-until.ts';

/**
 * Opens sessions, and shares the knowledge that the database is unreachable. The timeout counts from the start of the
 * outage, not from each caller's first attempt. So a request of several queries, or the hundredth in a queue, waits no
 * longer than any other. After the timeout, callers are rejected as soon as the next attempt fails, and all of them
 * share that attempt.
 */
export interface CircuitBreaker<Session> {
  /**
   * @throws WorkspaceError `overloaded` when the database has been unreachable for too long, `shutting_down` after
   * `close`; other errors of `open` pass through.
   */
  open(): Promise<Session>;
  close(): void;
}

interface Outage {
  readonly since: number;
  readonly over: Promise<true>;
  end(over: true): void;
}

/** An attempt may hang in a server that crashes. After this time, another one starts in parallel. */
const lookMsMax = 2_000;

/** @param waitMs timeout of an outage, from its start. */
export function createCircuitBreaker<Session extends { close(): Promise<void> }>(
  open: () => Promise<Session>,
  waitMs: number,
): CircuitBreaker<Session> {
  const closing = new AbortController();
  let outage: Outage | null = null;
  let looking: Promise<boolean> | null = null;

  const endOutage = () => {
    outage?.end(true);
    outage = null;
  };
  const tryOnce = async (): Promise<boolean> => {
    try {
      const session = await open();
      void session.close();
      endOutage();
      return true;
    } catch {
      // Each waiting caller decides for itself.
      return false;
    }
  };
  /** One attempt at a time, for all callers: a database that comes back is not flooded with connections. */
  const look = (): Promise<boolean> => {
    if (looking !== null) return looking;
    const trying = within(tryOnce(), performance.now() + lookMsMax).finally(() => {
      looking = null;
    });
    looking = trying;
    return trying;
  };
  const beginOutage = async (since: number) => {
    if (outage !== null || closing.signal.aborted) return;
    const { promise: over, resolve: end } = Promise.withResolvers<true>();
    const begun: Outage = { since, over, end };
    outage = begun;
    for (let tries = 1; outage === begun; tries += 1) {
      await pause(backoffMs(tries), undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (outage === begun) await look();
    }
  };

  return {
    async open() {
      const giveUpAt = performance.now() + waitMs;
      for (;;) {
        if (closing.signal.aborted) throw new WorkspaceError('shutting_down');
        if (outage !== null) {
          const outageGiveUpAt = outage.since + waitMs;
          const isOver =
            outageGiveUpAt <= performance.now()
              ? await look()
              : await within(outage.over, Math.min(giveUpAt, outageGiveUpAt));
          if (isOver) continue;
          throw new WorkspaceError('overloaded', {}, 'The database does not respond. Try again.');
        }
        const since = performance.now();
        try {
          return await open();
        } catch (error) {
          if (!(error instanceof PostgresError)) throw error;
          void beginOutage(since);
        }
      }
    },
    close() {
      closing.abort();
      endOutage();
    },
  };
}

/** @returns false when it does not resolve in time. */
async function within(promise: Promise<boolean>, until: number): Promise<boolean> {
  const waiting = new AbortController();
  const waitingMs = Math.max(0, until - performance.now());
  const late = pause(waitingMs, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([promise, late]);
  } finally {
    waiting.abort();
  }
}
