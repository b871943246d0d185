// docs/decisions/0009-api-keys-and-sign-in.md
import { WorkspaceError } from '@stoa/core';
import type { BetterAuthOptions } from 'better-auth';
import { Kysely } from 'kysely';
import { endSessionsScript } from '../service/people/disable-person.ts';
import type { AuthDeps } from './auth-deps.ts';
import { cookiePrefix } from './cookie-prefix.ts';
import { hashedSessionTokens } from './hashed-session-tokens.ts';
import { libraryNotes, type SignInWay } from './library-notes.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { storeDialect } from './store-dialect.ts';

/**
 * Opens the sign-in library, reduced to sessions by cookie for users with a password. We implement registration
 * (decided atomically in its transaction), attempt limits (counted in the database) and the cross-site check (the
 * library rejects scripts without `Origin`). It is loaded on first use: it takes a fifth of a server's start time,
 * and a server with only key callers never needs it.
 */
export async function openSessionLibrary(deps: AuthDeps) {
  const { betterAuth } = await import('better-auth');
  return betterAuth(libraryOptions(deps, 'password'));
}

/** @param via the method of sign-in, for the audit log */
export function libraryOptions(deps: AuthDeps, via: SignInWay) {
  const { protocol, origin } = new URL(deps.baseUrl);
  const isHttps = protocol === 'https:';
  return {
    appName: 'Stoa',
    baseURL: origin,
    basePath: '/api/auth',
    // `secrets`, not `secret`, which an environment variable would override.
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
          before: async ({ userId }) => rejectDisabled(deps, userId),
          // The library deletes an expired session only when its cookie is sent again, so the rows would accumulate.
          after: async ({ userId }, context) => {
            const passed = { field: 'expiresAt', operator: 'lt', value: new Date() } as const;
            const theirs = { field: 'userId', value: userId };
            await context?.context.adapter.deleteMany({ model: 'session', where: [theirs, passed] });
            // An operator who disables the account at the same time either deletes this session or is detected here.
            await rejectDisabled(deps, userId);
          },
        },
      },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(deps),
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

/** Reported only to a user who has just proved that the account is theirs. */
async function rejectDisabled(
  { store, clock }: Pick<AuthDeps, 'store' | 'clock'>,
  userId: string,
): Promise<void> {
  const person = await store.reader.users.find(userId);
  if (person === null || person.disabledAt === null) return;
  await store.transact(endSessionsScript, { userId, now: clock() });
  throw new WorkspaceError('account_disabled');
}

/** The store does not interpret the contents of the library's tables. */
function openDatabase({ store, clock }: AuthDeps, via: SignInWay): Kysely<unknown> {
  return new Kysely({
    dialect: storeDialect(store, libraryNotes(via, clock)),
    plugins: [hashedSessionTokens()],
  });
}
