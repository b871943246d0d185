import type { ProviderSettings } from '../auth-deps.ts';
import { isSafeAddress } from './safe-address.ts';

/** What is used of a provider's discovery document; all addresses are https ones, or of this machine. */
export interface DiscoveredProvider {
  /** Exactly as the provider writes it in its tokens. */
  readonly issuer: string;
  readonly discoveryUrl: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl: string | null;
  /** Where the keys are by which its tokens are verified. */
  readonly keysUrl: string;
  /** How the client shows its secret. */
  readonly authentication: 'basic' | 'post';
  /** Whether every answer to a sign-in says who it is from. */
  readonly namesIssuer: boolean;
}

const answerMsMax = 10_000;

/**
 * Asks the provider where its endpoints are.
 * @throws Error when it does not answer, is another one than the settings name, or has an address that anybody could read
 * along with.
 */
export async function discoverProvider({ issuer }: ProviderSettings): Promise<DiscoveredProvider> {
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const answer = await fetch(discoveryUrl, { redirect: 'error', signal: AbortSignal.timeout(answerMsMax) });
  if (!answer.ok) throw new Error(`${discoveryUrl} answered with ${answer.status}`);
  const found: unknown = await answer.json();
  if (typeof found !== 'object' || found === null) throw new Error(`${discoveryUrl} is not a JSON object`);
  const document: Readonly<Record<string, unknown>> = { ...found };
  const named = document.issuer;
  // Some write their name with a slash at the end; settings never have it.
  if (typeof named !== 'string' || named.replace(/\/+$/, '') !== issuer) {
    throw new Error(`${discoveryUrl} is of the issuer ${String(named)}, and STOA_OIDC_ISSUER is ${issuer}`);
  }
  const addressOf = (name: string) => parseAddress(name, document[name]);
  const methods = document.token_endpoint_auth_methods_supported;
  const takesBasic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return {
    issuer: named,
    discoveryUrl,
    authorizationUrl: addressOf('authorization_endpoint'),
    tokenUrl: addressOf('token_endpoint'),
    userInfoUrl: document.userinfo_endpoint === undefined ? null : addressOf('userinfo_endpoint'),
    keysUrl: addressOf('jwks_uri'),
    authentication: takesBasic ? 'basic' : 'post',
    namesIssuer: document.authorization_response_iss_parameter_supported === true,
  };
}

/** Secrets and codes go there. */
function parseAddress(name: string, value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value) && isSafeAddress(new URL(value))) return value;
  throw new Error(`the provider's ${name} is no https:// address: ${String(value)}`);
}

/**
 * What the provider says of a person beyond their token.
 * @throws Error when it does not answer, or speaks of somebody else.
 */
export async function readUserInfo(
  userInfoUrl: string,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    signal: AbortSignal.timeout(answerMsMax),
  });
  if (!answer.ok) throw new Error(`the provider's userinfo_endpoint answered with ${answer.status}`);
  const found: unknown = await answer.json();
  const claims = typeof found === 'object' && found !== null ? { ...found } : {};
  if (!('sub' in claims) || claims.sub !== subject) {
    throw new Error("the provider's userinfo_endpoint speaks of somebody else than its token");
  }
  return claims;
}
