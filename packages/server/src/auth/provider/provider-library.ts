// docs/decisions/0073-sign-in-by-openid-connect.md
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

/** One return from the provider, from the request to what became of it. */
export interface ProviderReturn {
  /** Whose session the browser has now; null without one. */
  readonly sessionUserId: string | null;
  /** Null until the provider has said who it is. */
  outcome: ProviderOutcome | null;
  /** Where the person goes after linking. */
  callbackUrl: string | null;
}

export interface ProviderLibrary {
  readonly library: Pick<SessionLibrary, 'handler' | 'options'>;
  readonly provider: DiscoveredProvider;
  /** The cookie that the way back is bound to, as a line that ends it. */
  readonly endedCookie: string;
  /** Whose return is worked on by the library's call inside. */
  readonly returns: AsyncLocalStorage<ProviderReturn>;
}

/**
 * The sign-in library with a provider. It keeps state, PKCE and nonce, verifies the token's signature, issuer, audience
 * and nonce, and makes the session. Whom an account is for is decided here.
 * @throws Error when the provider does not answer, or not as it must.
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
        // Another issuer may give the same number to somebody else.
        accountSubject: ({ profile }) => accountIdOf(provider, String(profile.sub)),
        async getUserInfo({ idToken, accessToken }) {
          // The library has verified the token if there is one, and goes on without: a provider must not leave it out.
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
              : // Whoever began may have signed out since, or somebody else in.
                typeof linkFor === 'string' && linkFor === here.sessionUserId
                ? await linkByProvider(deps, { ...guest, userId: linkFor })
                : 'session_changed';
          // Null makes the library stop here, before it makes a session.
          if (here.outcome !== 'admitted') return null;
          const { subject, name, email } = person;
          // Accounts are found by the subject, and what is stored of a person is not changed: the library only insists.
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
      // What the provider may be asked with is not needed again, and not kept.
      updateAccountOnSignIn: false,
      // Both are decided in `admitByProvider`; were it left out one day, nobody is to slip in by the library's own rules.
      accountLinking: { disableImplicitLinking: true },
    },
    plugins: [plugin],
    logger: {
      ...options.logger,
      // It reports as a failure that we stopped it with a refusal.
      log: (...problem) => void (returns.getStore()?.outcome ?? options.logger.log(...problem)),
    },
  });
  const { socialProviders, createAuthCookie } = await library.$context;
  const opened = socialProviders.find(({ id }) => id === providerId);
  if (opened?.idToken === undefined || !('jwks' in opened.idToken) || opened.issuer !== provider.issuer) {
    throw new Error('the provider has no keys by which its tokens could be verified');
  }
  // The library asks for the discovery document again, follows redirects then, and would take keys from wherever that says.
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
  /** Null when the provider says none. */
  readonly email: string | null;
  /** By the provider. */
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

/** Of a token that has been verified. */
function readClaims(idToken: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = idToken.split('.');
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return typeof claims === 'object' && claims !== null ? { ...claims } : {};
}
