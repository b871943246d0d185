import { WorkspaceError } from '@stoa/core';

/** A code that can no longer lead to a key, as the refusal that says so. */
export function refuseDeviceCode(end: 'unknown' | 'consumed' | 'expired' | 'denied'): never {
  switch (end) {
    case 'unknown':
      throw new WorkspaceError('invalid_grant');
    case 'consumed':
      throw new WorkspaceError('already_consumed');
    case 'expired':
      throw new WorkspaceError('expired_token');
    case 'denied':
      throw new WorkspaceError('access_denied');
  }
}
