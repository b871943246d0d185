import { fullGrant } from '@stoa/core';
import type { Caller } from '../service/access.ts';
import type { SessionLibrary } from './session-library.ts';

/**
 * Returns the owner of a session cookie, or null. Never extends the session, because this response cannot set the new
 * cookie. `GET /api/auth/get-session` does.
 */
export async function authenticateSession(library: SessionLibrary, cookie: string): Promise<Caller | null> {
  const found = await library.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true },
  });
  if (found === null) return null;
  const { id, name } = found.user;
  return {
    actor: { principal: 'human', userId: id, keyId: null, keyLabel: null, userName: name },
    credential: { via: 'session', credentialId: found.session.id, userId: id },
    scopedTo: null,
    grant: fullGrant,
  };
}
