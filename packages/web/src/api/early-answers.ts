/**
 * Answers to what `index.html` asked before the app's script was there: who is signed in, where the feed stands, and the
 * list. On a cold start they are on their way while the script is loaded and compiled, not after it.
 */
export interface EarlyAnswer {
  /** Null where it was not asked after all: what comes before it was refused. */
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

/**
 * A `fetch` that takes each early answer once. What did not come early is asked for as ever. What is asked again is newer
 * than what came early after it, so that this is given up: a list from before its position would miss what changed in
 * between. A change gives up all of them: it may be somebody else who is signed in then.
 */
export function withEarlyAnswers(
  early: EarlyAnswers | undefined,
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
    // The signal also ends the waiting for what comes before it.
    const answer = await Promise.race([asked.answer.catch(() => null), aborted(signal)]);
    return answer ?? askAgain(input, init);
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
