import { type SignUpState, WorkspaceError } from '@stoa/core';
import { type Caller, rejectEndedKey } from '../service/access.ts';
import { hashApiKey } from '../service/keys/api-key-secret.ts';
import { touchKeyScript } from '../service/keys/touch-key.ts';
import type { KeyRow } from '../service/ports/keys.ts';
import type { Reader } from '../service/ports/reader.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { authenticateSession } from './authenticate-session.ts';
import { handleAuthRequest } from './handle-auth-request.ts';
import { createAttemptLimiter } from './limit-attempts.ts';
import { createProviderSignIn } from './provider/sign-in-by-provider.ts';
import { signUpReader } from './read-sign-up.ts';
import { openSessionLibrary, type SessionLibrary } from './session-library.ts';
import { storeErrors } from './store-errors.ts';

/** The credentials of a request. The `Authorization` header is not read. */
export interface Credentials {
  /** The `x-api-key` header; null if it was not sent. */
  readonly apiKey: string | null;
  /** The whole `cookie` header; null if it was not sent. */
  readonly cookie: string | null;
}

export interface Auth {
  /**
   * Returns the caller of a request. A key takes precedence over a valid session (interface: access, Credentials).
   * @param reader looks up the key; may have prefetched it, by default the store's own
   * @throws WorkspaceError `invalid_api_key` with `reason`, or `unauthorized` without a valid credential
   */
  authenticate(credentials: Credentials, reader?: Reader): Promise<Caller>;
  /**
   * Serves a request below `/api/auth/`. Its headers may contain several Set-Cookie.
   * @throws WorkspaceError `route_not_found`, `cross_site_request`, `rate_limited`, `invalid_request`,
   * `registration_closed`, `email_taken`
   */
  answer(request: AuthRequest): Promise<Response>;
  /** Returns the current sign-up policy. */
  readSignUp(): Promise<SignUpState>;
  /** Returns the provider for sign-in, with its sign-up policy; null without one. */
  readProvider(): Promise<{ readonly name: string; readonly signUp: SignUpState } | null>;
}

export function createAuth(deps: AuthDeps): Auth {
  let opened: Promise<SessionLibrary> | null = null;
  const library = () => {
    opened ??= openSessionLibrary(deps);
    return opened;
  };
  const limiter = createAttemptLimiter(deps);
  const provider = createProviderSignIn(deps, limiter);
  const readProviderSignUp = signUpReader({ ...deps, signup: deps.provider?.signup ?? deps.signup });
  const authenticateKey = keyAuthenticator(deps);
  const authenticateCookie = async (cookie: string | null) => {
    const caller =
      cookie === null
        ? null
        : await storeErrors.surface(async () => authenticateSession(await library(), cookie));
    if (caller === null) throw new WorkspaceError('unauthorized');
    return caller;
  };
  return {
    authenticate: ({ apiKey, cookie }, reader = deps.store.reader) =>
      apiKey === null ? authenticateCookie(cookie) : authenticateKey(apiKey, reader),
    readSignUp: signUpReader(deps),
    readProvider: async () => {
      if (deps.provider === null) return null;
      return { name: deps.provider.name, signUp: await readProviderSignUp() };
    },
    answer: (request) =>
      storeErrors.surface(async () =>
        handleAuthRequest(deps, { library: await library(), limiter, provider }, request),
      ),
  };
}

const touchEveryMilliseconds = 10 * 60_000;

/**
 * Authenticates by key. The store returns the current row, so that a revoked key fails at the next request on every
 * node. The clock decides whether the key has expired.
 * @throws WorkspaceError `invalid_api_key` with the `reason` (interface: access, Credentials)
 */
function keyAuthenticator(
  deps: Pick<AuthDeps, 'store' | 'clock' | 'reportProblem'>,
): (presented: string, reader: Reader) => Promise<Caller> {
  const touch = keyToucher(deps);
  return async (presented, { keys }) => {
    const secretHash = hashApiKey(presented);
    const found = secretHash === null ? null : await keys.findByHash(secretHash);
    if (found === null) throw new WorkspaceError('invalid_api_key', { reason: 'INVALID_API_KEY' });
    const { key, userName } = found;
    const now = deps.clock();
    rejectEndedKey(key, now);
    touch(key, now);
    const { id, userId, name, principal, workspaceId, access, path } = key;
    return {
      actor: { principal, userId, keyId: id, keyLabel: name, userName },
      credential: { via: 'key', credentialId: id, userId },
      scopedTo: workspaceId,
      grant: { access, path },
    };
  };
}

/** Maximum number of keys whose last recorded use is cached. The oldest entries are dropped and recorded again. */
const recordedKeysMax = 10_000;

/** Samples the last use of a key without delaying the request. A failure is reported, and the next use retries. */
function keyToucher(deps: Pick<AuthDeps, 'store' | 'reportProblem'>): (key: KeyRow, now: number) => void {
  // The row of a key may be cached from before its use was recorded. Without this map each request would record it
  // again.
  const recorded = new Map<string, number>();
  return ({ id, lastUsedAt }, now) => {
    const last = Math.max(lastUsedAt ?? 0, recorded.get(id) ?? 0);
    if (last !== 0 && now - last < touchEveryMilliseconds) return;
    recorded.delete(id);
    recorded.set(id, now);
    for (const oldest of recorded.keys()) {
      if (recorded.size <= recordedKeysMax) break;
      recorded.delete(oldest);
    }
    deps.store.transact(touchKeyScript, { keyId: id, usedAt: now }).catch((cause: unknown) => {
      recorded.delete(id);
      deps.reportProblem("a key's last use could not be recorded", cause);
    });
  };
}
