import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import type { ObjectLocation } from './parse-blob-url.ts';

/** Timeouts of requests to the store. Every request ends: with a response, or after `attempts` timeouts. */
export interface Timeouts {
  /** Attempts of one request, including the first; the backoff between them grows and is random. */
  readonly attempts: number;
  readonly connectMs: number;
  /** Until a response begins. */
  readonly responseMs: number;
  /** The same when many bytes are sent first, or parts are combined. */
  readonly uploadMs: number;
  /** The same when the store copies: `copyPartBytes` in this time is 1.1 MB per second. */
  readonly copyMs: number;
  /** Between two chunks of a download. */
  readonly stallMs: number;
  /** For a store that is not reachable yet when the server starts. */
  readonly startMs: number;
}

export const usualTimeouts: Timeouts = {
  attempts: 4,
  connectMs: 5_000,
  responseMs: 15_000,
  uploadMs: 60_000,
  copyMs: 120_000,
  stallMs: 30_000,
  startMs: 10_000,
};

/** At least 5 MiB, as stores require; 1000 parts, the limit of some stores, are 8 GiB. */
export const usualPartBytes = 8 * 1024 * 1024;

/** Bytes in one copy request: more than the default maximum file size, and far below the 5 GiB limit of one request. */
export const usualCopyPartBytes = 128 * 1024 * 1024;

/** One bucket, and the prefix of everything in this installation. */
export interface ObjectStore {
  readonly client: S3Client;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly timeouts: Timeouts;
  /** Bytes in one part of a multipart upload. */
  readonly partBytes: number;
  /** At least 5 MiB, as stores require. */
  readonly copyPartBytes: number;
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/** A download uses one until its reader has everything. Further requests wait `connectMs` for a free one. */
const connectionsMax = 2048;

export function createObjectStore(
  location: ObjectLocation,
  options: Pick<ObjectStore, 'timeouts' | 'partBytes' | 'copyPartBytes' | 'reportProblem'>,
): ObjectStore {
  const { timeouts, partBytes, copyPartBytes, reportProblem } = options;
  const { endpoint, region, pathStyle, bucket, prefix } = location;
  // Without a region the SDK looks for one in the machine's AWS settings. Other stores rarely have regions: any will
  // do.
  const givenRegion = region ?? (endpoint === null ? null : (process.env.AWS_REGION ?? 'us-east-1'));
  const agent = { maxSockets: connectionsMax };
  const client = new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(givenRegion === null ? {} : { region: givenRegion }),
    forcePathStyle: pathStyle,
    retryMode: 'standard',
    maxAttempts: timeouts.attempts,
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.responseMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Not every store supports the newer checksums. Uploads have Content-MD5, and downloads are hashed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a new connection for every part.
    expectContinueHeader: false,
  });
  const slashed = prefix === '' ? '' : `${prefix}/`;
  return { client, bucket, prefix: slashed, timeouts, partBytes, copyPartBytes, reportProblem };
}

/** Error names of stores other than Amazon's when they are full. */
const fullNames: readonly string[] = [
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'StorageFull',
];
const insufficientStorageStatus = 507;

/** Whether the object or its range does not exist. A missing bucket is a failure of the store. */
export function isAbsent(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  const status = error.$metadata.httpStatusCode;
  return status === 404 || status === 416;
}

/**
 * Sends one request. The SDK has already retried where that helps.
 * @throws WorkspaceError as `storeError`
 */
export async function askStore<Result>(
  store: Pick<ObjectStore, 'reportProblem'>,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    throw storeError(store, error);
  }
}

/**
 * Maps a failed request to an error for its caller: full (`storage_full`), not allowed (`storage_refused`), or retry
 * later (`overloaded`). The cause goes to the operator's log.
 */
export function storeError(
  { reportProblem }: Pick<ObjectStore, 'reportProblem'>,
  error: unknown,
): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const isGivenUp = error instanceof Error && error.name === 'AbortError';
  if (!isGivenUp) reportProblem('an object store request failed', plainError(error));
  if (isFull(error)) return new WorkspaceError('storage_full');
  if (isForbidden(error)) return new WorkspaceError('storage_refused');
  return new WorkspaceError(
    'overloaded',
    {},
    'The storage of large files cannot be reached: try again in a moment',
  );
}

/** Drops the signature details that the store repeats, which must not be logged. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  return new Error(`${error.$metadata.httpStatusCode} ${error.name}: ${error.message}`);
}

function isFull(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return error.$metadata.httpStatusCode === insufficientStorageStatus || fullNames.includes(error.name);
}

function isForbidden(error: unknown): boolean {
  if (error instanceof Error && error.name === 'CredentialsProviderError') return true;
  if (!(error instanceof S3ServiceException)) return false;
  const status = error.$metadata.httpStatusCode;
  return status === 401 || status === 403;
}

interface SendOptions {
  readonly abortSignal: AbortSignal;
  readonly requestTimeout: number;
}

/**
 * Sends a request whose response begins long before it is complete, with the result in the body. The timeout for the
 * first byte does not cover that, so all attempts together also have a limit.
 * @param waitMs until a response begins, for each attempt
 * @throws WorkspaceError as `storeError`
 */
export async function askUntilDone<Result>(
  store: Pick<ObjectStore, 'timeouts' | 'reportProblem'>,
  waitMs: number,
  signal: AbortSignal,
  send: (options: SendOptions) => Promise<Result>,
): Promise<Result> {
  // One more than the attempts, for the backoff between them.
  const limitMs = waitMs * (store.timeouts.attempts + 1);
  const limit = AbortSignal.timeout(limitMs);
  return askStore(store, async () => {
    try {
      return await send({ abortSignal: AbortSignal.any([signal, limit]), requestTimeout: waitMs });
    } catch (error) {
      throw limit.aborted && !signal.aborted ? new Error(`no complete response within ${limitMs} ms`) : error;
    }
  });
}
