/**
 * Responses that `index.html` requested before the app's script loaded: the session, the feed position and the list. On
 * a cold start they arrive while the script is loaded and compiled.
 */
export interface EarlyResponse {
  /** Null if the request was not sent because an earlier one was rejected. */
  readonly response: Promise<Response | null>;
  end(reason: unknown): void;
}

/** By address, from `/api` on. */
export type EarlyResponses = Map<string, EarlyResponse>;

declare global {
  var stoaEarly: EarlyResponses | undefined;
}

/** Age of the page, in milliseconds, after which unused early responses are stale. */
const takenWithinMs = 30_000;

/**
 * A `fetch` that uses each early response once and sends all other requests. Repeating a request discards the early
 * responses that follow it: a list from before its position would miss the changes in between. A write discards all of
 * them, as another user may be signed in afterwards.
 */
export function withEarlyResponses(
  early: EarlyResponses | undefined,
  send: typeof fetch,
  now: () => number = () => performance.now(),
): typeof fetch {
  if (early === undefined) return send;
  const inOrder = [...early.keys()];
  const askAgain: typeof fetch = (input, init) => {
    const at = inOrder.indexOf(addressOf(input));
    if (at >= 0) for (const later of inOrder.slice(at)) early.delete(later);
    return send(input, init);
  };
  return async (input, init = {}) => {
    if (init.method !== 'GET') early.clear();
    const address = addressOf(input);
    const isPlain = init.method === 'GET' && new Headers(init.headers).entries().next().done === true;
    const asked = isPlain ? early.get(address) : undefined;
    if (asked === undefined) return askAgain(input, init);
    early.delete(address);
    if (now() > takenWithinMs) return askAgain(input, init);
    const { signal } = init;
    signal?.addEventListener('abort', () => asked.end(signal.reason), { once: true });
    // The signal also ends the wait for earlier requests.
    const response = await Promise.race([asked.response.catch(() => null), aborted(signal)]);
    return response ?? askAgain(input, init);
  };
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return pathname + search;
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
