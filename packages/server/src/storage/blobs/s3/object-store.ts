import { S3Client } from '@aws-sdk/client-s3';
import type { ObjectPlace } from './parse-blob-url.ts';

/** How long the store is waited for. Every request ends: with an answer, or after `attempts` of these. */
export interface Patience {
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
}

export const usualPatience: Patience = {
  attempts: 4,
  connectMs: 5_000,
  answerMs: 15_000,
  uploadMs: 60_000,
  copyMs: 120_000,
  stallMs: 30_000,
};

/** What one request copies: more than the largest file by default, and far below the 5 GiB that are the most for one. */
export const usualCopyPartBytes = 128 * 1024 * 1024;

/** One bucket, and below which prefix everything of this installation is. */
export interface ObjectStore {
  readonly client: S3Client;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly patience: Patience;
  /** At least 5 MiB, as stores ask for. */
  readonly copyPartBytes: number;
  readonly reportProblem: (message: string, cause: unknown) => void;
}

/** A download holds one until its reader has all of it. Requests beyond wait `connectMs` for one to be free. */
const connectionsMax = 2048;

export function createObjectStore(
  place: ObjectPlace,
  options: Pick<ObjectStore, 'patience' | 'copyPartBytes' | 'reportProblem'>,
): ObjectStore {
  const { patience, copyPartBytes, reportProblem } = options;
  const { endpoint, region, pathStyle, bucket, prefix } = place;
  // Without a region the SDK looks for one in the machine's AWS settings. Other stores seldom have regions: any will do.
  const givenRegion = region ?? (endpoint === null ? null : (process.env.AWS_REGION ?? 'us-east-1'));
  const agent = { maxSockets: connectionsMax };
  const client = new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(givenRegion === null ? {} : { region: givenRegion }),
    forcePathStyle: pathStyle,
    retryMode: 'standard',
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
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
  return { client, bucket, prefix: slashed, patience, copyPartBytes, reportProblem };
}
