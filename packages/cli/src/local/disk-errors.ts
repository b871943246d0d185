import { constants } from 'node:os';
import type { DiskRejection } from '../engine/ports/local-folder.ts';

export function errorCodeOf(error: unknown): string | null {
  // Node has no name for an exceeded quota. Its code is UNKNOWN, and only the number identifies it.
  const isQuota = error instanceof Error && 'errno' in error && error.errno === -constants.errno.EDQUOT;
  if (isQuota) return 'EDQUOT';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The reason to skip a path after a disk error. Rethrows errors that no disk reports, because they are bugs. */
export function errorOf(error: unknown): DiskRejection & { readonly kind: 'refused' } {
  const code = errorCodeOf(error);
  const detail = code ?? '';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { kind: 'refused', reason: 'disk_full', detail };
    case 'EBUSY':
    case 'ETXTBSY':
      return { kind: 'refused', reason: 'in_use', detail };
    case 'EPERM':
      // Windows reports this for a file that another program has open.
      return { kind: 'refused', reason: process.platform === 'win32' ? 'in_use' : 'unreadable', detail };
    case 'EACCES':
    case 'EIO':
    case 'EROFS':
    case 'ESTALE':
    case 'ENOTCONN':
    case 'EMFILE':
    case 'ENFILE':
    case 'EFBIG':
    case 'ELOOP':
    case 'ETIMEDOUT':
      return { kind: 'refused', reason: 'unreadable', detail };
    case 'EXDEV':
      return { kind: 'refused', reason: 'other_filesystem', detail };
    case 'ENAMETOOLONG':
    case 'EILSEQ':
    case 'EINVAL':
      return { kind: 'refused', reason: 'name_not_possible', detail };
    default:
      throw error;
  }
}
