import { retry } from '@stoa/client/retry';
import type { ApiKey } from '../config/api-key.ts';
import type { Pace } from '../output/host.ts';

/** The request never left this machine. Nothing was done, and it may be sent again. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** The server was reached but sent no full response, so it is unknown whether the request was applied. */
export class NoResponseError extends Error {
  override readonly name = 'NoAnswerError';
}

/** The server's response is not a message of the protocol. */
export class RejectedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, text: string) {
    super(`status ${response.status}`);
    this.status = response.status;
    this.text = text;
    const seconds = response.headers.get('Retry-After') ?? '';
    this.retryAfterSeconds = /^\d{1,6}$/.test(seconds) ? Number(seconds) : null;
  }
}

const errorMaxBytes = 256 * 1024;
/** Network error codes that occur before a request is sent. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * A `fetch` for one address only. It adds the key, follows no redirect, and distinguishes requests that were sent from
 * those that were not.
 */
export function postTo(
  endpoint: URL,
  key: () => ApiKey,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    if (String(input) !== endpoint.href) throw new Error(`the relay goes to ${endpoint.href} alone`);
    const headers = new Headers(init?.headers);
    headers.set('x-api-key', key().reveal());
    let response: Response;
    try {
      response = await fetch(endpoint, { ...init, headers, redirect: 'manual' });
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      const word = networkWordOf(error);
      if (word !== null && beforeSending.has(word)) throw new NotSentError(word, { cause: error });
      throw new NoResponseError(word ?? 'no answer', { cause: error });
    }
    // The server rejects the SDK's listener for server messages, and the SDK handles that status.
    if (response.ok || init?.method !== 'POST') return bounded(response);
    throw new RejectedError(response, await readError(response));
  };
}

const triesMax = 4;
/** Pauses as shares of the time limit, so that the last try is still within it. */
const pauseShares = [0.1, 0.3, 0.5];
const longestAskedSeconds = 10;

/**
 * Sends with retries. A request that did not leave this machine is retried up to three times within a time limit. A 503
 * response is retried after the delay that the server asks for. A request that may have arrived is never repeated.
 */
export function sendPatiently(
  send: () => Promise<void>,
  {
    pace,
    signal,
    withinMs,
  }: { readonly pace: Pace; readonly signal: AbortSignal; readonly withinMs: number },
): Promise<void> {
  const pausesMs = pauseShares.map((share) => withinMs * share);
  return retry(send, { pace, signal, triesMax, delays: { pausesMs, jitter: 0 }, askedSeconds });
}

function askedSeconds(error: unknown): number | null | 'final' {
  if (error instanceof NotSentError) return null;
  if (!(error instanceof RejectedError) || error.status !== 503) return 'final';
  const asked = error.retryAfterSeconds;
  return asked !== null && asked > longestAskedSeconds ? 'final' : asked;
}

function networkWordOf(error: unknown): string | null {
  for (let depth = 0, at = error; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return null;
}

/** A message has at most 16 MiB; as JSON it takes several times that. */
const responseMaxBytes = 64 * 1024 * 1024;

function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > responseMaxBytes)
        controller.error(new Error(`The response is longer than ${responseMaxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}

async function readError(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > errorMaxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}
