// docs/decisions/0029-openid-connect.md
import { AsyncLocalStorage } from 'node:async_hooks';
import { hashInviteToken } from '../../service/invites/invite-token.ts';
import {
  admitByProvider,
  linkByProvider,
  type ProviderOutcome,
} from '../../service/people/admit-by-provider.ts';
import type { AuthDeps, ProviderSettings } from '../auth-deps.ts';
import { libraryOptions, type SessionLibrary } from '../session-library.ts';
import { type DiscoveredProvider, discoverProvider, readUserInfo } from './discover-provider.ts';

/** Names the provider in addresses and in the `account` table. */
export const providerId = 'oidc';

/** One return from the provider, from the request to its outcome. */
export interface ProviderReturn {
  /** The user of the browser's session; null without one. */
  readonly sessionUserId: string | null;
  /** Null until the provider has identified the person. */
  outcome: ProviderOutcome | null;
  /** Destination after linking. */
  callbackUrl: string | null;
}

export interface ProviderLibrary {
  readonly library: Pick<SessionLibrary, 'handler' | 'options'>;
  readonly provider: DiscoveredProvider;
  /** A header line that deletes the cookie to which the return is bound. */
  readonly endedCookie: string;
  /** The return that the library's current call handles. */
  readonly returns: AsyncLocalStorage<ProviderReturn>;
}

/**
 * The sign-in library with a provider. It keeps state, PKCE and nonce, verifies the token's signature, issuer,
 * audience and nonce, and makes the session. The choice of the account is ours.
 * @throws Error if the provider does not respond, or not as it must
 */
export async function openProviderLibrary(
  deps: AuthDeps,
  settings: ProviderSettings,
): Promise<ProviderLibrary> {
  const provider = await discoverProvider(settings);
  const [{ betterAuth }, { genericOAuth }, { getOAuthState }, { createRemoteJWKSet }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/generic-oauth'),
    import('better-auth/api'),
    import('jose'),
  ]);
  const returns = new AsyncLocalStorage<ProviderReturn>();
  const plugin = genericOAuth({
    config: [
      {
        providerId,
        discoveryUrl: provider.discoveryUrl,
        authorizationUrl: provider.authorizationUrl,
        tokenUrl: provider.tokenUrl,
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        authentication: provider.authentication,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        disableImplicitSignUp: true,
        // Another issuer may give the same subject to another person.
        accountSubject: ({ profile }) => accountIdOf(provider, String(profile.sub)),
        async getUserInfo({ idToken, accessToken }) {
          // The library verifies a token if there is one but accepts a response without one. Require it here.
          if (idToken === undefined || accessToken === undefined) return null;
          const here = returns.getStore();
          const state = await getOAuthState();
          if (here === undefined || state === null || state === undefined) return null;
          const person = await readPerson(provider, idToken, accessToken);
          if (person === null) return null;
          here.callbackUrl = state.callbackURL;
          const { linkFor = null, inviteToken = null } = { ...state };
          const guest = { ...person, providerId, accountId: accountIdOf(provider, person.subject) };
          here.outcome =
            linkFor === null
              ? await admitByProvider(deps, {
                  ...guest,
                  signup: settings.signup,
                  inviteTokenHash: typeof inviteToken === 'string' ? hashInviteToken(inviteToken) : null,
                })
              : // The user may have signed out since, or another user may have signed in.
                typeof linkFor === 'string' && linkFor === here.sessionUserId
                ? await linkByProvider(deps, { ...guest, userId: linkFor })
                : 'session_changed';
          // Null stops the library before it makes a session.
          if (here.outcome !== 'admitted') return null;
          const { subject, name, email } = person;
          // Accounts are found by the subject, and stored details do not change. The library only requires these
          // fields.
          return { id: subject, sub: subject, name, email: email ?? providerId, emailVerified: false };
        },
      },
    ],
  });
  const options = libraryOptions(deps, 'provider');
  const library = betterAuth({
    ...options,
    account: {
      storeStateStrategy: 'cookie',
      // The provider's tokens are not needed again, so they are not kept.
      updateAccountOnSignIn: false,
      // `admitByProvider` decides both. This stays as a safeguard, so that the library's rules never admit a user.
      accountLinking: { disableImplicitLinking: true },
    },
    plugins: [plugin],
    logger: {
      ...options.logger,
      // The library reports our own rejection as a failure.
      log: (...problem) => void (returns.getStore()?.outcome ?? options.logger.log(...problem)),
    },
  });
  const { socialProviders, createAuthCookie } = await library.$context;
  const opened = socialProviders.find(({ id }) => id === providerId);
  if (opened?.idToken === undefined || !('jwks' in opened.idToken) || opened.issuer !== provider.issuer) {
    throw new Error('the provider has no keys by which its tokens could be verified');
  }
  // The library would fetch the discovery document again, follow redirects, and accept keys from the address in it.
  opened.idToken.jwks = createRemoteJWKSet(new URL(provider.keysUrl));
  const { name, attributes } = createAuthCookie('oauth_state');
  const endedCookie = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`;
  return { library, provider, endedCookie, returns };
}

function accountIdOf({ issuer }: DiscoveredProvider, subject: string): string {
  return `${issuer} ${subject}`;
}

interface ProviderPerson {
  readonly subject: string;
  /** Null if the provider gives none. */
  readonly email: string | null;
  /** Verified by the provider. */
  readonly emailVerified: boolean;
  readonly name: string;
}

async function readPerson(
  { userInfoUrl }: DiscoveredProvider,
  idToken: string,
  accessToken: string,
): Promise<ProviderPerson | null> {
  const ofToken = readClaims(idToken);
  const { sub: subject } = ofToken;
  if (typeof subject !== 'string' || subject === '') return null;
  const lacksEmail = ofToken.email === undefined && userInfoUrl !== null;
  const claims = lacksEmail ? await readUserInfo(userInfoUrl, accessToken, subject) : ofToken;
  const { email, email_verified: emailVerified, name, preferred_username: username } = claims;
  return {
    subject,
    email: typeof email === 'string' ? email.toLowerCase() : null,
    emailVerified: emailVerified === true,
    name: [name, username].find((each) => typeof each === 'string') ?? '',
  };
}

/** Call it only with a verified token. */
function readClaims(idToken: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = idToken.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return typeof claims === 'object' && claims !== null ? { ...claims } : {};
}
