import { S3ServiceException } from '@aws-sdk/client-s3';
import { WorkspaceError } from '@stoa/core';
import type { ObjectStore } from './object-store.ts';

/** What other stores than Amazon's say when they have no room left. */
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
 * What a failed request means for its caller: no room (`storage_full`), or come back later (`overloaded`). Why is the
 * operator's to know.
 */
export function storeRefusal(
  { reportProblem }: Pick<ObjectStore, 'reportProblem'>,
  error: unknown,
): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const isGivenUp = error instanceof Error && error.name === 'AbortError';
  if (!isGivenUp) reportProblem('the object store did not do what it was asked', plainError(error));
  return isFull(error)
    ? new WorkspaceError('storage_full')
    : new WorkspaceError(
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
