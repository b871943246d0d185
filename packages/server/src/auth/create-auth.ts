import { type SignUpState, WorkspaceError } from '@stoa/core';
import { type Caller, refuseEndedKey } from '../service/access.ts';
import { hashApiKey } from '../service/keys/api-key-secret.ts';
import { touchKeyScript } from '../service/keys/touch-key.ts';
import type { KeyRow } from '../service/ports/keys.ts';
import type { Reader } from '../service/ports/reader.ts';
import { answerAuthRequest } from './answer-auth-request.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { authenticateSession } from './authenticate-session.ts';
import { createAttemptLimiter } from './limit-attempts.ts';
import { createProviderSignIn } from './provider/sign-in-by-provider.ts';
import { signUpReader } from './read-sign-up.ts';
import { openSessionLibrary, type SessionLibrary } from './session-library.ts';
import { storeRefusals } from './store-refusals.ts';

/** What a request presents. An `Authorization` header is not a credential here: it is not read. */
export interface Credentials {
  /** The `x-api-key` header; null when it was not sent. */
  readonly apiKey: string | null;
  /** The whole `cookie` header; null when it was not sent. */
  readonly cookie: string | null;
}

export interface Auth {
  /**
   * The caller behind a request. A key decides, even beside a valid session (interface: access, Credentials).
   * @param reader where a key is looked up: one that foresaw it, or by default the store's own.
   * @throws WorkspaceError `invalid_api_key` with `reason`, or `unauthorized` without a credential that holds.
   */
  authenticate(credentials: Credentials, reader?: Reader): Promise<Caller>;
  /**
   * Answers a request below `/api/auth/`. Set-Cookie may occur several times in its headers.
   * @throws WorkspaceError `route_not_found`, `cross_site_request`, `rate_limited`, `invalid_request`,
   * `registration_closed`, `email_taken`
   */
  answer(request: AuthRequest): Promise<Response>;
  /** Who may sign up. */
  readSignUp(): Promise<SignUpState>;
  /** The provider by which people may sign in too, and who of those may sign up; null without one. */
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
        : await storeRefusals.surface(async () => authenticateSession(await library(), cookie));
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
      storeRefusals.surface(async () =>
        answerAuthRequest(deps, { library: await library(), limiter, provider }, request),
      ),
  };
}

const touchEveryMilliseconds = 10 * 60_000;

/**
 * Who presents a key. The store answers with the key as it is now, so that a revoked one fails at the next request on
 * every node, and the clock says whether it has expired.
 * @throws WorkspaceError `invalid_api_key` with the `reason` (interface: access, Credentials).
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
    refuseEndedKey(key, now);
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

/** Keys whose last use was noted by this process; of more than these, a key that is still used is noted again. */
const notedKeysMax = 10_000;

/** Samples the last use without making the request wait. A failure is reported; the next use tries again. */
function keyToucher(deps: Pick<AuthDeps, 'store' | 'reportProblem'>): (key: KeyRow, now: number) => void {
  // What a key's row says of its last use may be remembered from before it was noted: each request would note it again.
  const noted = new Map<string, number>();
  return ({ id, lastUsedAt }, now) => {
    const last = Math.max(lastUsedAt ?? 0, noted.get(id) ?? 0);
    if (last !== 0 && now - last < touchEveryMilliseconds) return;
    noted.delete(id);
    noted.set(id, now);
    for (const oldest of noted.keys()) {
      if (noted.size <= notedKeysMax) break;
      noted.delete(oldest);
    }
    deps.store.transact(touchKeyScript, { keyId: id, usedAt: now }).catch((cause: unknown) => {
      noted.delete(id);
      deps.reportProblem("a key's last use could not be noted", cause);
    });
  };
}
