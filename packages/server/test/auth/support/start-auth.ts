import type { AuthDeps } from '../../../src/auth/auth-deps.ts';
import type { AuthRequest } from '../../../src/auth/auth-request.ts';
import { type Auth, createAuth } from '../../../src/auth/create-auth.ts';
import { openService } from '../../support/open-service.ts';
import '../../../../../tests/support/cheap-passwords.cjs';

export const baseUrl = 'http://127.0.0.1:4700';

export { startOfTime } from '../../support/open-service.ts';

export interface AuthUnderTest extends AsyncDisposable {
  readonly auth: Auth;
  readonly deps: AuthDeps;
  readonly dataDir: string;
  /** The requested pauses, in milliseconds. No test waits for them. */
  readonly pauses: readonly number[];
  /** Problems that were reported rather than thrown. */
  readonly problems: readonly string[];
  /** Moves the injected clock on. */
  advance(milliseconds: number): void;
  /** Another server over the same store. */
  another(overrides: Partial<AuthDeps>): Pick<AuthUnderTest, 'auth' | 'post' | 'get'>;
  /** Sends a request as a program would: neither `Origin` nor `Sec-Fetch-Site`. */
  post(path: string, body: unknown, facts?: Partial<AuthRequest>): Promise<Response>;
  get(path: string, facts?: Partial<AuthRequest>): Promise<Response>;
}

/** Credentials and sign-in over a real SQLite store in a directory of their own. */
export async function startAuth(overrides: Partial<AuthDeps> = {}): Promise<AuthUnderTest> {
  const service = await openService();
  const problems: string[] = [];
  const pauses: number[] = [];
  let made = 0;
  const deps: AuthDeps = {
    store: service.deps.store,
    clock: service.deps.clock,
    ids: (prefix) => {
      made += 1;
      return `${prefix}_${made}`;
    },
    baseUrl,
    trustedOrigins: [baseUrl],
    signup: 'first',
    provider: null,
    appUrl: baseUrl,
    signinLimit: 0,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    secret: 'V1StGXR8_Z5jdHi6B-myTV1StGXR8_Z5jdHi6B-myTQ',
    reportProblem: (message) => problems.push(message),
    ...overrides,
  };
  const open = (of: AuthDeps) => {
    const auth = createAuth(of);
    const send = (method: string, path: string, body: unknown, facts: Partial<AuthRequest> = {}) =>
      auth.answer({
        method,
        path,
        query: '',
        body,
        cookie: null,
        userAgent: 'test',
        origin: null,
        secFetchSite: null,
        clientAddress: '192.0.2.7',
        ...facts,
      });
    return {
      auth,
      post: (path: string, body: unknown, facts?: Partial<AuthRequest>) => send('POST', path, body, facts),
      get: (path: string, facts?: Partial<AuthRequest>) => send('GET', path, undefined, facts),
    };
  };
  return {
    ...open(deps),
    another: (others) => open({ ...deps, ...others }),
    deps,
    dataDir: service.dataDir,
    problems,
    pauses,
    advance: service.advance,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

// For the hashing cost of these passwords see `cheap-passwords.cjs`.
export const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'cheap to hash engine' };
export const bob = { email: 'bob@example.com', name: 'Bob', password: 'cheap to hash battery' };

/** The `cookie` header that a client sends back after a response. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

/** The body of a response. The test asserts its shape. */
export async function jsonOf(response: Response) {
  return JSON.parse(await response.text());
}
