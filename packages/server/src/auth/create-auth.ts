import { type SignUpState, WorkspaceError } from '@stoa/core';
import type { Caller } from '../service/access/workspace-access.ts';
import { answerAuthRequest } from './answer-auth-request.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { keyAuthenticator } from './authenticate-key.ts';
import { authenticateSession } from './authenticate-session.ts';
import { createAttemptLimiter } from './limit-attempts.ts';
import { signUpReader } from './read-sign-up.ts';
import { createSessionLibrary } from './session-library.ts';
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
   * @throws WorkspaceError `invalid_api_key` with `reason`, or `unauthorized` without a credential that holds.
   */
  authenticate(credentials: Credentials): Promise<Caller>;
  /**
   * Answers a request below `/api/auth/`. Set-Cookie may occur several times in its headers.
   * @throws WorkspaceError `route_not_found`, `cross_site_request`, `rate_limited`, `invalid_request`,
   * `registration_closed`, `email_taken`
   */
  answer(request: AuthRequest): Promise<Response>;
  /** Who may sign up. */
  readSignUp(): Promise<SignUpState>;
}

export function createAuth(deps: AuthDeps): Auth {
  const library = createSessionLibrary(deps);
  const limiter = createAttemptLimiter(deps);
  const authenticateKey = keyAuthenticator(deps);
  return {
    async authenticate({ apiKey, cookie }) {
      if (apiKey !== null) return await authenticateKey(apiKey);
      const caller =
        cookie === null ? null : await storeRefusals.surface(() => authenticateSession(library, cookie));
      if (caller === null) throw new WorkspaceError('unauthorized');
      return caller;
    },
    readSignUp: signUpReader(deps),
    answer: (request) => storeRefusals.surface(() => answerAuthRequest(deps, { library, limiter }, request)),
  };
}
