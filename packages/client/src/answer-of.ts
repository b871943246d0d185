import { readApiError, readJson } from './read-json.ts';
import type { Call, Transport } from './transport.ts';

/** Sends a call whose only success is 200 with JSON. */
export function answerOf<Answer extends object>(transport: Transport, call: Call): Promise<Answer> {
  return transport(call, async (response) => {
    if (response.status !== 200) throw await readApiError(response);
    return await readJson<Answer>(response);
  });
}
