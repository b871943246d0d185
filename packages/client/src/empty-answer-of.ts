import { readApiError } from './read-json.ts';
import type { Call, Transport } from './transport.ts';

/** Sends a call whose only success is 204, without a body. */
export function emptyAnswerOf(transport: Transport, call: Call): Promise<void> {
  return transport(call, async (response) => {
    if (response.status !== 204) throw await readApiError(response);
  });
}
