/**
 * Answers to what `index.html` asked before the app's script was there: who is signed in, where the feed stands, and the
 * list. On a cold start they are on their way while the script is loaded and compiled, not after it.
 */
export interface EarlyAnswer {
  /** Null where it was not asked after all: nobody is signed in, or what comes before it was refused. */
  readonly answer: Promise<Response | null>;
  end(reason: unknown): void;
}

/** By address, from `/api` on. */
export type EarlyAnswers = Map<string, EarlyAnswer>;

declare global {
  var stoaEarly: EarlyAnswers | undefined;
}

/** What was not taken by then, counted from the beginning of the page, is too old to begin with. */
const takenWithinMs = 30_000;

/** A `fetch` that takes each early answer once. What did not come early is asked for as ever. */
export function withEarlyAnswers(
  early: EarlyAnswers | undefined,
  send: typeof fetch,
  now: () => number = () => performance.now(),
): typeof fetch {
  if (early === undefined) return send;
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const address = pathname + search;
    const isPlain = init.method === 'GET' && new Headers(init.headers).entries().next().done === true;
    const asked = isPlain ? early.get(address) : undefined;
    if (asked === undefined) return send(input, init);
    early.delete(address);
    if (now() > takenWithinMs) return send(input, init);
    const { signal } = init;
    signal?.addEventListener('abort', () => asked.end(signal.reason), { once: true });
    // The signal also ends the waiting for what comes before it.
    const answer = await Promise.race([asked.answer.catch(() => null), aborted(signal)]);
    return answer ?? send(input, init);
  };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
