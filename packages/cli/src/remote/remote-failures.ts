import { StoaApiError, StoaConnectionError } from '@stoa/client';
import { RemoteFailure } from '../engine/ports/remote-workspace.ts';

/** Classifies the error of a request for the engine. Rethrows anything else: a bug or an abort. */
export function remoteFailureOf(error: unknown): RemoteFailure {
  if (error instanceof RemoteFailure) return error;
  if (error instanceof StoaConnectionError)
    return new RemoteFailure('passing', error.message, { cause: error });
  if (!(error instanceof StoaApiError)) throw error;
  const { status, retryAfterSeconds, message } = error;
  const facts = { status, retryAfterSeconds, cause: error };
  if (status === 401 || status === 403) return new RemoteFailure('stopped', message, facts);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return new RemoteFailure('passing', message, facts);
  }
  // A redirect, or a success that is not a response of this service.
  if (status < 400) return new RemoteFailure('not_stoa', message, facts);
  return new RemoteFailure('refused', message, facts);
}

export function notStoa(message: string): RemoteFailure {
  return new RemoteFailure('not_stoa', `${message}: is the address that of a Stoa server?`);
}
