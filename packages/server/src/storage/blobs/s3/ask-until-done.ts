import type { ObjectStore } from './object-store.ts';
import { askStore } from './store-failure.ts';

interface SendOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/**
 * Sends one request that stores begin to answer long before they are done, with a body that says how it ended: the wait
 * for an answer is over with its first byte, so all tries together have a limit, too.
 * @param waitMs for an answer to begin, at each try
 * @throws WorkspaceError as `storeRefusal`
 */
export async function askUntilDone<Answer>(
  store: Pick<ObjectStore, 'patience' | 'reportProblem'>,
  waitMs: number,
  signal: AbortSignal,
  send: (options: SendOptions) => Promise<Answer>,
): Promise<Answer> {
  // One wait more than there are tries, for the pauses between them.
  const limitMs = waitMs * (store.patience.attempts + 1);
  const limit = AbortSignal.timeout(limitMs);
  return askStore(store, async () => {
    try {
      return await send({ abortSignal: AbortSignal.any([signal, limit]), requestTimeout: waitMs });
    } catch (error) {
      throw limit.aborted && !signal.aborted ? new Error(`no whole answer for ${limitMs} ms`) : error;
    }
  });
}
