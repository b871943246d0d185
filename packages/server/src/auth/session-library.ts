// docs/decisions/0012-keys-are-ours.md
import { WorkspaceError } from '@stoa/core';
import type { BetterAuthOptions } from 'better-auth';
import { Kysely } from 'kysely';
import { endSessionsScript } from '../service/people/disable-person.ts';
import type { AuthDeps } from './auth-deps.ts';
import { hashedSessionTokens } from './hashed-session-tokens.ts';
import { libraryNotes, type SignInWay } from './library-notes.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { storeDialect } from './store-dialect.ts';

/**
 * The sign-in library, reduced to what it is good at: sessions by cookie for people with a password. Left to us are
 * registration (atomic, and decided in its transaction), attempt limits (counted in the database) and the cross-site
 * check (the library's own refuses scripts that send no `Origin`). It is loaded here: where everybody comes with a key it
 * is never needed, and it is a fifth of a server's start.
 */
export async function openSessionLibrary(deps: AuthDeps) {
  const { betterAuth } = await import('better-auth');
  return betterAuth(libraryOptions(deps, 'password'));
}

/** @param via by what people sign in through it. */
export function libraryOptions(deps: AuthDeps, via: SignInWay) {
  const { protocol, origin } = new URL(deps.baseUrl);
  const isHttps = protocol === 'https:';
  return {
    appName: 'Stoa',
    baseURL: origin,
    basePath: '/api/auth',
    // `secrets`, not `secret`: the library would let an environment variable overrule the latter.
    secrets: [{ version: 1, value: deps.secret }],
    trustedOrigins: [...deps.trustedOrigins],
    database: { db: openDatabase(deps, via), type: 'sqlite', transaction: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: {
        hash: hashPassword,
        verify: ({ password, hash }) => verifyPassword(password, hash),
      },
    },
    session: { cookieCache: { enabled: false } },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => refuseDisabled(deps, userId),
          // The library forgets a passed session only when its cookie comes again, so the rows would pile up.
          after: async ({ userId }, context) => {
            const passed = { field: 'expiresAt', operator: 'lt', value: new Date() } as const;
            const theirs = { field: 'userId', value: userId };
            await context?.context.adapter.deleteMany({ model: 'session', where: [theirs, passed] });
            // Whoever disables the account while this goes on deletes the session, or is seen here.
            await refuseDisabled(deps, userId);
          },
        },
      },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // Browsers hold a `__Host-` cookie to this very host, and to https.
      cookiePrefix: isHttps ? '__Host-stoa' : 'stoa',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
      disableCSRFCheck: true,
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      database: { validateSchema: false },
    },
    onAPIError: { throw: true },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => deps.reportProblem(`sign-in library: ${message}`, details[0]),
    },
  } satisfies BetterAuthOptions;
}

export type SessionLibrary = Awaited<ReturnType<typeof openSessionLibrary>>;

/** Said only to somebody who has just shown that the account is theirs. */
async function refuseDisabled(
  { store, clock }: Pick<AuthDeps, 'store' | 'clock'>,
  userId: string,
): Promise<void> {
  const person = await store.reader.users.find(userId);
  if (person === null || person.disabledAt === null) return;
  await store.transact(endSessionsScript, { userId, now: clock() });
  throw new WorkspaceError('account_disabled');
}

/** The contents of its tables are the library's own affair. */
function openDatabase({ store, clock }: AuthDeps, via: SignInWay): Kysely<unknown> {
  return new Kysely({
    dialect: storeDialect(store, libraryNotes(via, clock)),
    plugins: [hashedSessionTokens()],
  });
}
