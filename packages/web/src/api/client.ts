import { createStoaClient } from '@stoa/client';
import { withEarlyAnswers } from './early-answers.ts';

const unauthorizedListeners = new Set<() => void>();

/** Told of every answer that says nobody is signed in, whichever part of the page asked. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

/** A `fetch` that tells of sign-outs. A refused password is 401 too, and says nothing about the session. */
export function watched(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (
      response.status === 401 &&
      !new URL(response.url, location.origin).pathname.startsWith('/api/auth/')
    ) {
      for (const listener of [...unauthorizedListeners]) listener();
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
