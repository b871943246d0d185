import { invalidRequest } from '@stoa/core';
import { hashInviteToken } from '../service/invites/invite-token.ts';
import { parseNewPerson } from '../service/people/parse-new-person.ts';
import { registerPerson } from '../service/people/register-person.ts';
import type { AuthDeps } from './auth-deps.ts';
import { signInPath } from './auth-endpoints.ts';
import type { AuthRequest } from './auth-request.ts';
import { callLibrary } from './call-library.ts';
import { hashPassword } from './password-hash.ts';
import type { SessionLibrary } from './session-library.ts';

/**
 * Creates an account and a session. Returns the library's response to a sign-in, including the session cookie. If
 * sign-up is by invite, `inviteToken` is the last segment of the invite's address.
 * @throws WorkspaceError `invalid_request`, `registration_closed`, `email_taken`
 */
export async function signUp(
  deps: AuthDeps,
  library: SessionLibrary,
  request: AuthRequest,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { email, name, password, rememberMe, inviteToken } = body;
  const person = parseNewPerson({ email, name, password });
  const inviteTokenHash = parseInviteToken(inviteToken);
  const registrar = { kind: 'visitor', signup: deps.signup, inviteTokenHash } as const;
  await registerPerson(deps, registrar, person, hashPassword);
  const credentials = { email: person.email, password: person.password, rememberMe };
  return await callLibrary(library, { method: 'POST', path: signInPath }, request, credentials);
}

/** A text that is not one of our tokens counts as no invite, so its error is that of a sign-up without one. */
function parseInviteToken(inviteToken: unknown): string | null {
  if (inviteToken === undefined || inviteToken === null) return null;
  if (typeof inviteToken !== 'string') {
    throw invalidRequest("inviteToken must be the last segment of an invite's address");
  }
  return hashInviteToken(inviteToken);
}
