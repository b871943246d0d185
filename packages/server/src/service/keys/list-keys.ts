import type { Caller } from '../access.ts';
import type { KeyRow } from '../ports/keys.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireSession } from './require-session.ts';

/**
 * Lists the caller's own keys that are not revoked, oldest first; a row never contains the secret.
 * @throws WorkspaceError `key_management_needs_session`
 */
export async function listKeys(deps: Pick<ServiceDeps, 'store'>, caller: Caller): Promise<readonly KeyRow[]> {
  requireSession(caller);
  return await deps.store.reader.keys.listOf(caller.actor.userId);
}
