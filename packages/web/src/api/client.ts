import { createStoaClient } from '@stoa/client';
import { withEarlyAnswers } from './early-answers.ts';

const unauthorizedListeners = new Set<() => void>();

/** Told of every answer that says nobody is signed in, whichever part of the page asked. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

const readOnlyListeners = new Set<(workspaceId: string) => void>();

/** Told of every answer that says that a workspace is read-only. */
export function onReadOnly(listener: (workspaceId: string) => void): () => void {
  readOnlyListeners.add(listener);
  return () => readOnlyListeners.delete(listener);
}

/** A `fetch` that tells what an answer says beyond its request. A refused password is 401 too, and says nothing about the session. */
export function watched(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status !== 401 && response.status !== 402) return response;
    // An upload's answer is made here and has no address of its own.
    const path = new URL(response.url || String(input), location.origin).pathname;
    if (response.status === 401 && !path.startsWith('/api/auth/')) {
      for (const listener of [...unauthorizedListeners]) listener();
    }
    const [, workspaceId] = /^\/api\/workspaces\/([^/]+)\//.exec(path) ?? [];
    if (response.status === 402 && workspaceId !== undefined) {
      for (const listener of [...readOnlyListeners]) listener(workspaceId);
    }
    return response;
  };
}

/** The `fetch` of every client of the app. */
export const watchedFetch = watched(
  withEarlyAnswers(globalThis.stoaEarly, (input, init) => fetch(input, init)),
);

/** The one client of the app. The session's cookie speaks for the caller. */
export const client = createStoaClient({ baseUrl: location.origin, fetch: watchedFetch });
