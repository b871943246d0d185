import { invalidRequest, WorkspaceError } from '@stoa/core';
import { parsePassword } from '../service/people/parse-new-person.ts';
import { resetPassword } from '../service/people/set-password.ts';
import type { AuthDeps } from './auth-deps.ts';
import {
  type AuthEndpoint,
  authEndpoints,
  changePasswordPath,
  resetPasswordPath,
  revokeOtherSessionsPath,
  revokeSessionPath,
  signUpPath,
  updateUserPath,
} from './auth-endpoints.ts';
import type { AuthRequest } from './auth-request.ts';
import { callLibrary } from './call-library.ts';
import type { AttemptLimiter } from './limit-attempts.ts';
import { parseProfile } from './parse-profile.ts';
import { hashPassword } from './password-hash.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { revokeOtherSessions, revokeSession } from './revoke-sessions.ts';
import type { SessionLibrary } from './session-library.ts';
import { signUp } from './sign-up.ts';

/** As `Auth.answer`. */
export async function answerAuthRequest(
  deps: AuthDeps,
  { library, limiter }: { readonly library: SessionLibrary; readonly limiter: AttemptLimiter },
  request: AuthRequest,
): Promise<Response> {
  const endpoint = authEndpoints.find(
    ({ method, path }) => method === request.method && path === request.path,
  );
  if (endpoint === undefined) throw new WorkspaceError('route_not_found');
  if (endpoint.method === 'POST') refuseCrossSite(request, deps.trustedOrigins);
  const body = pickFields(endpoint, request.body);
  const answer = () => answerEndpoint(deps, library, { endpoint, request, body });
  if (!endpoint.guess) return await answer();
  const email = typeof body.email === 'string' ? body.email : null;
  return await limiter.run(request, email, answer);
}

async function answerEndpoint(
  deps: AuthDeps,
  library: SessionLibrary,
  {
    endpoint,
    request,
    body,
  }: {
    readonly endpoint: AuthEndpoint;
    readonly request: AuthRequest;
    readonly body: Readonly<Record<string, unknown>>;
  },
): Promise<Response> {
  switch (endpoint.path) {
    case signUpPath:
      return await signUp(deps, library, request, body);
    case changePasswordPath:
      // A password is mostly changed because somebody else may know it.
      return await callLibrary(library, endpoint, request, { revokeOtherSessions: true, ...body });
    case resetPasswordPath:
      return await answerReset(deps, body);
    case revokeSessionPath:
      return await revokeSession(deps, library, request, body);
    case revokeOtherSessionsPath:
      return await revokeOtherSessions(deps, library, request);
    case updateUserPath:
      return await callLibrary(library, endpoint, request, parseProfile(body));
    default:
      return await callLibrary(library, endpoint, request, body);
  }
}

/**
 * A new password by a link that an operator made. It signs nobody in.
 * @throws WorkspaceError `invalid_request`, `reset_link_gone`
 */
async function answerReset(deps: AuthDeps, body: Readonly<Record<string, unknown>>): Promise<Response> {
  const { token } = body;
  if (typeof token !== 'string') throw invalidRequest('token must be the part of the link after its #');
  const password = parsePassword(body.password);
  await resetPassword(deps, token, () => hashPassword(password));
  return Response.json({ status: true });
}

function pickFields(endpoint: AuthEndpoint, body: unknown): Record<string, unknown> {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalidRequest('the body must be a JSON object');
  }
  return Object.fromEntries(Object.entries(given).filter(([field]) => endpoint.fields.includes(field)));
}
