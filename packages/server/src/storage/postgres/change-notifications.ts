import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';

export type ChangeListener = (workspaceIds: readonly string[]) => void;

/** Announces feeds that may have grown, in this process and in others. Notifications may be late, lost or spurious. */
export interface ChangeNotifications extends AsyncDisposable {
  /** Call it after a commit of this process, never inside a transaction: there it would serialise all commits. */
  tell(workspaceIds: readonly string[]): void;
  /** @returns a function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void;
}

const channel = 'stoa_change';
/** The server accepts 8000 bytes at most. */
const payloadCharactersMax = 7000;
/** Maximum number of pending notifications; for the rest, other processes rely on polling. */
const pendingMax = 10_000;
const backOffMs = { first: 100, longest: 5_000 } as const;

/**
 * @param open a dedicated session, which listens and notifies.
 * @param reportProblem called when a listener throws: the change itself is already committed.
 */
export function createChangeNotifications(
  open: () => Promise<Connection>,
  reportProblem: (message: string, cause: unknown) => void,
): ChangeNotifications {
  const listeners = new Set<ChangeListener>();
  const pending = new Set<string>();
  const closing = new AbortController();
  let session: Connection | null = null;
  let isTelling = false;

  const callListeners: ChangeListener = (workspaceIds) => {
    for (const listener of listeners) {
      try {
        listener(workspaceIds);
      } catch (error) {
        reportProblem('a listener for changes failed', error);
      }
    }
  };
  const reportOthers = async () => {
    if (isTelling) return;
    isTelling = true;
    try {
      while (session !== null && !session.isBroken && pending.size > 0) {
        await session.repeated('select pg_notify($1, $2)', [channel, takePayload(pending)]);
      }
    } catch {
      // A lost notification loses no change; the listening side notices the end of the session.
    } finally {
      isTelling = false;
    }
  };
  const listenOnce = async () => {
    const opened = await open();
    const ended = new Promise<void>((resolve) => opened.onEnd(resolve));
    try {
      opened.onNotification((from, payload) => {
        if (from !== opened.processId) callListeners(payload.split(' '));
      });
      await opened.commands(`listen ${channel}`);
      session = opened;
      if (closing.signal.aborted) return;
      void reportOthers();
      await ended;
    } finally {
      session = null;
      await opened.close();
    }
  };
  const listen = async () => {
    let backOff: number = backOffMs.first;
    while (!closing.signal.aborted) {
      const startedAt = performance.now();
      await listenOnce().catch(() => undefined);
      if (performance.now() - startedAt > backOffMs.longest) backOff = backOffMs.first;
      await pause(backOff, undefined, { signal: closing.signal }).catch(() => undefined);
      backOff = Math.min(backOff * 2, backOffMs.longest);
    }
  };
  const listening = listen();

  return {
    tell(workspaceIds) {
      if (workspaceIds.length === 0) return;
      callListeners(workspaceIds);
      for (const id of workspaceIds) if (pending.size < pendingMax) pending.add(id);
      void reportOthers();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await session?.close();
      await listening;
    },
  };
}

function takePayload(pending: Set<string>): string {
  let payload = '';
  for (const id of pending) {
    if (payload.length + id.length + 1 > payloadCharactersMax) break;
    payload += payload === '' ? id : ` ${id}`;
    pending.delete(id);
  }
  return payload;
}
