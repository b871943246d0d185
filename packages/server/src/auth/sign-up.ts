import { parseNewPerson } from '../service/people/parse-new-person.ts';
import { registerPerson } from '../service/people/register-person.ts';
import type { AuthRequest } from './answer-auth-request.ts';
import type { AuthDeps } from './auth-deps.ts';
import { signInPath } from './auth-endpoints.ts';
import { callLibrary } from './call-library.ts';
import { hashPassword } from './password-hash.ts';
import type { SessionLibrary } from './session-library.ts';

/**
 * Makes an account and signs it in: the library's answer to a sign-in, session cookie included.
 * @throws WorkspaceError `invalid_request`, `registration_closed`, `email_taken`
 */
export async function signUp(
  deps: AuthDeps,
  library: SessionLibrary,
  request: AuthRequest,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const { email, name, password, rememberMe } = body;
  const person = parseNewPerson({ email, name, password });
  const registrar = { kind: 'visitor', signup: deps.signup, invited: false } as const;
  await registerPerson(deps, registrar, person, hashPassword);
  const credentials = { email: person.email, password: person.password, rememberMe };
  return await callLibrary(library, { method: 'POST', path: signInPath }, request, credentials);
}
