import { WorkspaceError } from '@stoa/core';
import type { Caller } from '../access.ts';

/**
 * Keys cannot create or revoke keys: otherwise a leaked one could outlive its own revocation.
 * @throws WorkspaceError `key_management_needs_session`
 */
export function requireSession(caller: Caller): void {
  if (caller.credential.via !== 'session') throw new WorkspaceError('key_management_needs_session');
}
