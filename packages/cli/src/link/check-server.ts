import { createStoaClient, StoaApiError, type StoaClient } from '@stoa/client';
import { namedSend } from '../config/connect.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';

/** Creates a client without a key, after checking that the server is Stoa. @throws Failure `not_stoa` */
export async function openServer(host: Host, baseUrl: string): Promise<StoaClient> {
  const client = createStoaClient({ baseUrl, fetch: namedSend(host) });
  try {
    const health = await client.health({ signal: host.signal });
    if (health.status === 'ok' && typeof health.timestamp === 'string') return client;
  } catch (error) {
    const isOther =
      error instanceof StoaApiError && (error.status < 300 || error.status === 404 || error.status === 405);
    if (!isOther) throw error;
  }
  throw new Failure({
    code: 'not_stoa',
    exit: exitCodes.unreachable,
    message: `The server at ${baseUrl} is not a Stoa server.`,
    next: 'Give the address that the app has in the browser.',
  });
}
