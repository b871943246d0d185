import { fullGrant } from '@stoa/core';
import type { Caller } from '../service/access.ts';
import type { SessionLibrary } from './session-library.ts';

/**
 * Who a session cookie belongs to, or null. Never prolongs the session: the answer to this request could not carry the
 * new cookie. `GET /api/auth/get-session` does that.
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
