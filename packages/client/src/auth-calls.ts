import type { CallOptions } from './call.ts';
import { StoaApiError } from './errors.ts';
import { readApiError, readJsonValue } from './read-response.ts';
import type { Transport } from './transport.ts';

/** The signed-in user. */
export interface SignedInUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** An https address, or null. */
  readonly image: string | null;
}

/** One of a user's sessions. Times are ISO 8601 in UTC. */
export interface SessionRecord {
  readonly id: string;
  /** Identifies the session for `revokeSession`. It is not a credential. */
  readonly token: string;
  readonly userAgent: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
}

interface Rejections {
  /** A field breaks its rule. The message names the field and the rule. */
  readonly invalid: { readonly kind: 'invalid'; readonly message: string };
  readonly tooManyAttempts: { readonly kind: 'too_many_attempts'; readonly retryAfterSeconds: number };
  /** The page has another address than the service is configured for. */
  readonly wrongOrigin: { readonly kind: 'wrong_origin'; readonly message: string };
  readonly signedOut: { readonly kind: 'signed_out' };
}
type Guarded = Rejections['invalid' | 'tooManyAttempts' | 'wrongOrigin'];
type Own = Rejections['invalid' | 'wrongOrigin' | 'signedOut'];

export type SignUpOutcome =
  | { readonly kind: 'signed_up'; readonly user: SignedInUser }
  | { readonly kind: 'email_taken' }
  /** Sign-up is closed, or needs an open invite. */
  | { readonly kind: 'sign_up_closed' }
  | Guarded;

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly user: SignedInUser }
  /** The address is unknown or the password is wrong. The service does not say which. */
  | { readonly kind: 'wrong_credentials' }
  /** The password is right, but an operator has disabled the account. */
  | { readonly kind: 'account_disabled'; readonly message: string }
  | Guarded;

export type ResetPasswordOutcome =
  | { readonly kind: 'reset' }
  /** The link was used, has expired or never existed. */
  | { readonly kind: 'link_gone'; readonly message: string }
  | Guarded;

/** The provider's address at which the browser signs in. */
export type BeginProviderOutcome =
  | { readonly kind: 'begun'; readonly url: string }
  | { readonly kind: 'unreachable'; readonly message: string }
  | Guarded
  | Rejections['signedOut'];

export type SignInWaysOutcome =
  | { readonly kind: 'ways'; readonly password: boolean; readonly provider: boolean }
  | Rejections['signedOut'];

export type SignOutOutcome = Rejections['signedOut' | 'wrongOrigin'];

export type SessionOutcome =
  | {
      readonly kind: 'signed_in';
      readonly session: Pick<SessionRecord, 'id' | 'expiresAt'>;
      readonly user: SignedInUser;
    }
  | Rejections['signedOut'];

export type ChangePasswordOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong_password' }
  | Guarded
  | Rejections['signedOut'];

export type UpdateProfileOutcome = { readonly kind: 'updated' } | Own;

export type ListSessionsOutcome =
  | { readonly kind: 'listed'; readonly sessions: readonly SessionRecord[] }
  | Rejections['signedOut'];

export type RevokeSessionsOutcome = { readonly kind: 'revoked' } | Own;

export type AuthCalls = ReturnType<typeof authCalls>;

/** Default pause if a response asks to wait without saying how long. */
const usualRetrySeconds = 60;

/**
 * Sign-up, sign-in, sign-out, and the user's own profile and sessions (interface: access, Sessions), for pages with a
 * session cookie. Errors that the user can act on are returned. Any other error throws `StoaApiError`, a missing
 * response `StoaConnectionError`.
 */
export function authCalls(send: Transport) {
  function ask<Result>(
    method: 'GET' | 'POST',
    path: string,
    body: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Result> {
    const request = {
      method,
      address: `/api/auth/${path}`,
      headers: {},
      extraMs: 0,
      ...(method === 'GET' ? {} : { body: { kind: 'json', value: body } as const }),
      ...options,
    };
    return send(request, async (response) => {
      if (!response.ok) throw await readApiError(response);
      // A success is assumed to have the shape in the interface, as for every other route.
      return (await readJsonValue(response)) as Result;
    });
  }

  function beginProvider(
    path: string,
    way: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<BeginProviderOutcome> {
    return outcomeOf(
      async () => {
        const { url } = await ask<{ url: string }>('POST', path, way, options);
        return { kind: 'begun', url };
      },
      (error) =>
        error.status === 503
          ? { kind: 'unreachable', message: error.message }
          : (guardedError(error) ?? signedOut(error)),
    );
  }

  return {
    signUp: (
      person: {
        readonly name: string;
        readonly email: string;
        readonly password: string;
        /** The last segment of an invite's address. */
        readonly inviteToken?: string;
      },
      options?: CallOptions,
    ): Promise<SignUpOutcome> =>
      outcomeOf(
        async () => {
          const { user } = await ask<{ user: SignedInUser }>('POST', 'sign-up/email', person, options);
          return { kind: 'signed_up', user };
        },
        (error) => {
          if (error.status === 409) return { kind: 'email_taken' };
          return error.status === 403 && /^Sign-up is closed/.test(error.message)
            ? { kind: 'sign_up_closed' }
            : guardedError(error);
        },
      ),

    signIn: (
      credentials: { readonly email: string; readonly password: string },
      options?: CallOptions,
    ): Promise<SignInOutcome> =>
      outcomeOf(
        async () => {
          const { user } = await ask<{ user: SignedInUser }>('POST', 'sign-in/email', credentials, options);
          return { kind: 'signed_in', user };
        },
        (error) => {
          if (error.status === 401) return { kind: 'wrong_credentials' };
          return error.status === 403 && /^This account is disabled/.test(error.message)
            ? { kind: 'account_disabled', message: error.message }
            : guardedError(error);
        },
      ),

    /**
     * For a server with a provider. `next` is a path of the app, `inviteToken` the last segment of an invite's
     * address.
     */
    beginProviderSignIn: (
      way: { readonly next: string; readonly inviteToken?: string },
      options?: CallOptions,
    ): Promise<BeginProviderOutcome> => beginProvider('sign-in/provider', way, options),

    /** Links the provider to the signed-in account, which can then also sign in through it. */
    beginProviderLink: (
      way: { readonly next: string },
      options?: CallOptions,
    ): Promise<BeginProviderOutcome> => beginProvider('link-provider', way, options),

    signInWays: (options?: CallOptions): Promise<SignInWaysOutcome> =>
      outcomeOf(async () => {
        type Ways = { readonly password: boolean; readonly provider: boolean };
        const { password, provider } = await ask<Ways>('GET', 'sign-in-ways', {}, options);
        return { kind: 'ways', password, provider };
      }, signedOut),

    signOut: (options?: CallOptions): Promise<SignOutOutcome> =>
      outcomeOf(async () => {
        await ask('POST', 'sign-out', {}, options);
        return { kind: 'signed_out' };
      }, wrongOrigin),

    /** Reads the current session. The only call that extends a session. */
    session: async (options?: CallOptions): Promise<SessionOutcome> => {
      type Found = { session: SessionRecord; user: SignedInUser } | null;
      const found = await ask<Found>('GET', 'get-session', {}, options);
      if (found === null) return { kind: 'signed_out' };
      const { session, user } = found;
      return { kind: 'signed_in', session: { id: session.id, expiresAt: session.expiresAt }, user };
    },

    /** Ends the user's other sessions by default. This session continues. */
    changePassword: (
      change: {
        readonly currentPassword: string;
        readonly newPassword: string;
        readonly revokeOtherSessions?: boolean;
      },
      options?: CallOptions,
    ): Promise<ChangePasswordOutcome> =>
      outcomeOf(
        async () => {
          await ask('POST', 'change-password', change, options);
          return { kind: 'changed' };
        },
        (error) =>
          error.code === 'INVALID_PASSWORD'
            ? { kind: 'wrong_password' }
            : (guardedError(error) ?? signedOut(error)),
      ),

    /** Sets the password with a link that an operator made: `token` is the part after its `#`. Does not sign in. */
    resetPassword: (
      reset: { readonly token: string; readonly password: string },
      options?: CallOptions,
    ): Promise<ResetPasswordOutcome> =>
      outcomeOf(
        async () => {
          await ask('POST', 'reset-password', reset, options);
          return { kind: 'reset' };
        },
        (error) =>
          error.status === 410 ? { kind: 'link_gone', message: error.message } : guardedError(error),
      ),

    /** A picture is an https address, or null to remove it. Absent fields stay unchanged. */
    updateProfile: (
      profile: { readonly name?: string; readonly image?: string | null },
      options?: CallOptions,
    ): Promise<UpdateProfileOutcome> =>
      outcomeOf(async () => {
        await ask('POST', 'update-user', profile, options);
        return { kind: 'updated' };
      }, ownError),

    listSessions: (options?: CallOptions): Promise<ListSessionsOutcome> =>
      outcomeOf(async () => {
        const sessions = await ask<readonly SessionRecord[]>('GET', 'list-sessions', {}, options);
        return { kind: 'listed', sessions };
      }, signedOut),

    /** `token` as listed. */
    revokeSession: (token: string, options?: CallOptions): Promise<RevokeSessionsOutcome> =>
      outcomeOf(async () => {
        await ask('POST', 'revoke-session', { token }, options);
        return { kind: 'revoked' };
      }, ownError),

    revokeOtherSessions: (options?: CallOptions): Promise<RevokeSessionsOutcome> =>
      outcomeOf(async () => {
        await ask('POST', 'revoke-other-sessions', {}, options);
        return { kind: 'revoked' };
      }, ownError),
  };
}

/** Converts an error of the service with `refusal`, and throws it if that returns null. */
async function outcomeOf<Success, Rejection>(
  succeed: () => Promise<Success>,
  rejection: (error: StoaApiError) => Rejection | null,
): Promise<Success | Rejection> {
  try {
    return await succeed();
  } catch (error) {
    const outcome = error instanceof StoaApiError ? rejection(error) : null;
    if (outcome === null) throw error;
    return outcome;
  }
}

function guardedError(error: StoaApiError): Guarded | null {
  if (error.status !== 429) return invalid(error) ?? wrongOrigin(error);
  return { kind: 'too_many_attempts', retryAfterSeconds: error.retryAfterSeconds ?? usualRetrySeconds };
}

function ownError(error: StoaApiError): Own | null {
  return invalid(error) ?? wrongOrigin(error) ?? signedOut(error);
}

function invalid({ status, message }: StoaApiError): Rejections['invalid'] | null {
  return status === 400 ? { kind: 'invalid', message } : null;
}

function wrongOrigin({ status, message }: StoaApiError): Rejections['wrongOrigin'] | null {
  return status === 403 ? { kind: 'wrong_origin', message } : null;
}

function signedOut({ status }: StoaApiError): Rejections['signedOut'] | null {
  return status === 401 ? { kind: 'signed_out' } : null;
}
