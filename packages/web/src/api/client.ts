import { createStoaClient } from '@stoa/client';
import { withEarlyResponses } from './early-responses.ts';

const unauthorizedListeners = new Set<() => void>();

/** Calls the listener for each 401 response of any request of the page. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

const readOnlyListeners = new Set<(workspaceId: string) => void>();

/** Calls the listener for each response that reports a read-only workspace. */
export function onReadOnly(listener: (workspaceId: string) => void): () => void {
  readOnlyListeners.add(listener);
  return () => readOnlyListeners.delete(listener);
}

/** Wraps `fetch` and reports these responses. A wrong password is also 401, but does not concern the session. */
export function watched(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status !== 401 && response.status !== 402) return response;
    // The response of an upload is constructed here and has no URL.
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
  withEarlyResponses(globalThis.stoaEarly, (input, init) => fetch(input, init)),
);

/** The app's only client. It authenticates by the session cookie. */
export const client = createStoaClient({ baseUrl: location.origin, fetch: watchedFetch });
