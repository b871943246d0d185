import type { ServerResponse } from 'node:http';

/** Aborted when the client goes away: nobody waits for the answer any more. */
export function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
