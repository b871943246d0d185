// docs/decisions/0029-several-nodes.md
import { setTimeout as pause } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import { PostgresError } from './postgres-error.ts';
import { backoffMs } from './retry-until.ts';

/**
 * Opens sessions, and shares the finding that the database is away. The wait for it counts from the moment it went away,
 * not from each caller's first try: a request of several queries, or the hundredth of a queue, waits no longer than any
 * other. Once that time is over callers are refused with the next try that fails, and all of them share that one.
 */
export interface CircuitBreaker<Session> {
  /**
   * @throws WorkspaceError `overloaded` when the database has been away for too long, `shutting_down` after `close`; what
   * `open` fails with for another reason.
   */
  open(): Promise<Session>;
  close(): void;
}

interface Outage {
  readonly since: number;
  readonly over: Promise<true>;
  end(over: true): void;
}

/** A try may hang in a server that dies under it. After this time another one is begun beside it. */
const lookMsMax = 2_000;

/** @param waitMs how long an outage is sat out, from its beginning. */
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
      // Each waiting caller is told what this means for it.
      return false;
    }
  };
  /** One try at a time, whoever wants one: a database that comes back is not met by everybody at once. */
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
          throw new WorkspaceError('overloaded', {}, 'The database does not answer. Try again.');
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

/** @returns false when it is not there in time. */
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
