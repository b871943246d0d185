import { invalidRequest, WorkspaceError } from '@stoa/core';
import { recordActing } from '../service/auditing/origin.ts';
import { parsePassword } from '../service/people/parse-new-person.ts';
import { resetPassword } from '../service/people/set-password.ts';
import type { AuthDeps } from './auth-deps.ts';
import {
  type AuthEndpoint,
  authEndpoints,
  changePasswordPath,
  providerCallbackPath,
  providerLinkPath,
  providerSignInPath,
  resetPasswordPath,
  revokeOtherSessionsPath,
  revokeSessionPath,
  revokeSessionsPath,
  signInPath,
  signInWaysPath,
  signOutPath,
  signUpPath,
  updateUserPath,
} from './auth-endpoints.ts';
import type { AuthRequest } from './auth-request.ts';
import { authenticateSession } from './authenticate-session.ts';
import { callLibrary } from './call-library.ts';
import type { AttemptLimiter } from './limit-attempts.ts';
import { parseProfile } from './parse-profile.ts';
import { hashPassword } from './password-hash.ts';
import { providerId } from './provider/provider-library.ts';
import type { ProviderSignIn } from './provider/sign-in-by-provider.ts';
import { rejectCrossSite } from './reject-cross-site.ts';
import { revokeOtherSessions, revokeSession } from './revoke-sessions.ts';
import type { SessionLibrary } from './session-library.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

/** The parts that serve a request. */
interface Signing {
  readonly library: SessionLibrary;
  readonly limiter: AttemptLimiter;
  /** Null if users sign in only with a password. */
  readonly provider: ProviderSignIn | null;
}

/** See `Auth.answer`. */
export async function handleAuthRequest(
  deps: AuthDeps,
  { library, limiter, provider }: Signing,
  request: AuthRequest,
): Promise<Response> {
  const endpoint = authEndpoints.find(
    ({ method, path }) => method === request.method && path === request.path,
  );
  if (endpoint === undefined) throw new WorkspaceError('route_not_found');
  if (endpoint.method === 'POST') rejectCrossSite(request, deps.trustedOrigins);
  const body = pickFields(endpoint, request.body);
  const response = () => handleEndpoint(deps, { library, provider }, { endpoint, request, body });
  if (!endpoint.guess) return await response();
  const email = typeof body.email === 'string' ? body.email : null;
  return await limiter.run(request, email, response);
}

async function handleEndpoint(
  deps: AuthDeps,
  { library, provider }: Omit<Signing, 'limiter'>,
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
      await recordWhoAsks(library, request);
      // A password is usually changed because another person may know it.
      return await callLibrary(library, endpoint, request, { revokeOtherSessions: true, ...body });
    case providerSignInPath:
      return await requireProvider(provider).begin(request, body, null);
    case providerLinkPath:
      return await requireProvider(provider).begin(request, body, await requireSession(library, request));
    case providerCallbackPath:
      return await requireProvider(provider).comeBack(request, await readSession(library, request));
    case signInWaysPath:
      return await readSignInWays(deps, await requireSession(library, request));
    case resetPasswordPath:
      return await handleReset(deps, body);
    case revokeSessionPath:
      return await revokeSession(deps, library, request, body);
    case revokeOtherSessionsPath:
      return await revokeOtherSessions(deps, library, request);
    case updateUserPath:
      return await callLibrary(library, endpoint, request, parseProfile(body));
    case signInPath:
      return await signIn(deps, library, request, body);
    case signOutPath:
    case revokeSessionsPath:
      await recordWhoAsks(library, request);
      return await callLibrary(library, endpoint, request, body);
    default:
      return await callLibrary(library, endpoint, request, body);
  }
}

/**
 * Sets a new password with a link that an operator made. Does not sign in.
 * @throws WorkspaceError `invalid_request`, `reset_link_gone`
 */
async function handleReset(deps: AuthDeps, body: Readonly<Record<string, unknown>>): Promise<Response> {
  const { token } = body;
  if (typeof token !== 'string') throw invalidRequest('token must be the part of the link after its #');
  const password = parsePassword(body.password);
  await resetPassword(deps, token, () => hashPassword(password));
  return Response.json({ status: true });
}

function requireProvider(provider: ProviderSignIn | null): ProviderSignIn {
  if (provider === null) throw new WorkspaceError('route_not_found');
  return provider;
}

/** Records the user, because the library does not report whose session it ends or whose password it changes. */
async function recordWhoAsks(library: SessionLibrary, { cookie }: AuthRequest): Promise<void> {
  const caller = cookie === null ? null : await authenticateSession(library, cookie);
  if (caller !== null) recordActing(caller.actor);
}

async function readSession(library: SessionLibrary, { cookie }: AuthRequest): Promise<string | null> {
  const caller = cookie === null ? null : await authenticateSession(library, cookie);
  return caller?.credential.userId ?? null;
}

async function requireSession(library: SessionLibrary, request: AuthRequest): Promise<string> {
  const userId = await readSession(library, request);
  if (userId === null) throw new WorkspaceError('unauthorized');
  return userId;
}

async function readSignInWays({ store }: AuthDeps, userId: string): Promise<Response> {
  const ways = await store.reader.users.listSignIns(userId);
  return Response.json({ password: ways.includes('credential'), provider: ways.includes(providerId) });
}

function pickFields(endpoint: AuthEndpoint, body: unknown): Record<string, unknown> {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalidRequest('the body must be a JSON object');
  }
  return Object.fromEntries(Object.entries(given).filter(([field]) => endpoint.fields.includes(field)));
}
