import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import type { ObjectPlace } from './parse-blob-url.ts';

/** How long the store is waited for. Every request ends: with an answer, or after `attempts` of these. */
export interface Timeouts {
  /** Tries of one request, the first included; the pauses between them grow and are random. */
  readonly attempts: number;
  readonly connectMs: number;
  /** For an answer to begin. */
  readonly answerMs: number;
  /** The same where many bytes are sent first, or parts are put together. */
  readonly uploadMs: number;
  /** The same where the store copies: `copyPartBytes` in this time is 1.1 MB a second. */
  readonly copyMs: number;
  /** Between two pieces of a download. */
  readonly stallMs: number;
  /** For a store that cannot be reached yet when the server starts. */
  readonly startMs: number;
}

export const usualTimeouts: Timeouts = {
  attempts: 4,
  connectMs: 5_000,
  answerMs: 15_000,
  uploadMs: 60_000,
  copyMs: 120_000,
  stallMs: 30_000,
  startMs: 10_000,
};

/** At least 5 MiB, as stores ask for; 1000 parts, which some have as their limit, are 8 GiB. */
export const usualPartBytes = 8 * 1024 * 1024;

/** What one request copies: more than the largest file by default, and far below the 5 GiB that are the most for one. */
export const usualCopyPartBytes = 128 * 1024 * 1024;

/** One bucket, and below which prefix everything of this installation is. */
export interface ObjectStore {
  readonly client: S3Client;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly timeouts: Timeouts;
  /** What one request sends of an object that is sent in parts. */
  readonly partBytes: number;
  /** At least 5 MiB, as stores ask for. */
  readonly copyPartBytes: number;
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/** A download holds one until its reader has all of it. Requests beyond wait `connectMs` for one to be free. */
const connectionsMax = 2048;

export function createObjectStore(
  place: ObjectPlace,
  options: Pick<ObjectStore, 'timeouts' | 'partBytes' | 'copyPartBytes' | 'reportProblem'>,
): ObjectStore {
  const { timeouts, partBytes, copyPartBytes, reportProblem } = options;
  const { endpoint, region, pathStyle, bucket, prefix } = place;
  // Without a region the SDK looks for one in the machine's AWS settings. Other stores seldom have regions: any will do.
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
      requestTimeout: timeouts.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Newer checksums are not spoken everywhere. Uploads carry Content-MD5, and downloads are hashed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a new connection for every part.
    expectContinueHeader: false,
  });
  const slashed = prefix === '' ? '' : `${prefix}/`;
  return { client, bucket, prefix: slashed, timeouts, partBytes, copyPartBytes, reportProblem };
}

/** The errors of stores other than Amazon's when they have no room left. */
const fullNames: readonly string[] = [
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'StorageFull',
];
const insufficientStorageStatus = 507;

/** True when the object or the range of it is not there. A bucket that is not there is a failure of the store. */
export function isAbsent(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  const status = error.$metadata.httpStatusCode;
  return status === 404 || status === 416;
}

/**
 * Sends one request. The SDK has tried again already where that helps.
 * @throws WorkspaceError as `storeRefusal`
 */
export async function askStore<Answer>(
  store: Pick<ObjectStore, 'reportProblem'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    throw storeRefusal(store, error);
  }
}

/**
 * What a failed request means for its caller: no room (`storage_full`), not allowed (`storage_refused`), or come back later
 * (`overloaded`). Why is the operator's to know.
 */
export function storeRefusal(
  { reportProblem }: Pick<ObjectStore, 'reportProblem'>,
  error: unknown,
): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const isGivenUp = error instanceof Error && error.name === 'AbortError';
  if (!isGivenUp) reportProblem('the object store did not do what it was asked', plainError(error));
  if (isFull(error)) return new WorkspaceError('storage_full');
  if (isForbidden(error)) return new WorkspaceError('storage_refused');
  return new WorkspaceError(
    'overloaded',
    {},
    'The storage of large files cannot be reached: try again in a moment',
  );
}

/** Without what the store repeats of the signature, which is in no log. */
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
 * Sends one request that stores begin to answer long before they are done, with a body that says how it ended: the wait
 * for an answer is over with its first byte, so all tries together have a limit, too.
 * @param waitMs for an answer to begin, at each try
 * @throws WorkspaceError as `storeRefusal`
 */
export async function askUntilDone<Answer>(
  store: Pick<ObjectStore, 'timeouts' | 'reportProblem'>,
  waitMs: number,
  signal: AbortSignal,
  send: (options: SendOptions) => Promise<Answer>,
): Promise<Answer> {
  // One wait more than there are tries, for the pauses between them.
  const limitMs = waitMs * (store.timeouts.attempts + 1);
  const limit = AbortSignal.timeout(limitMs);
  return askStore(store, async () => {
    try {
      return await send({ abortSignal: AbortSignal.any([signal, limit]), requestTimeout: waitMs });
    } catch (error) {
      throw limit.aborted && !signal.aborted ? new Error(`no whole answer for ${limitMs} ms`) : error;
    }
  });
}
