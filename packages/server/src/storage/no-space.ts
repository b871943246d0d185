import { constants } from 'node:os';

/** Whether a file could not grow because its disk, or a quota on it, is full. */
export function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ENOSPC') return true;
  // Node has no name for a reached quota: its code is UNKNOWN, so only the number identifies it.
  return 'errno' in error && error.errno === -constants.errno.EDQUOT;
}
