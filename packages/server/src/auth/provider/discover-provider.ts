import type { ProviderSettings } from '../auth-deps.ts';
import { isSafeAddress } from './safe-address.ts';

/** The used parts of a provider's discovery document. All addresses use https or are on this machine. */
export interface DiscoveredProvider {
  /** Exactly as the provider writes it in its tokens. */
  readonly issuer: string;
  readonly discoveryUrl: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl: string | null;
  /** Address of the keys that verify its tokens. */
  readonly keysUrl: string;
  /** The method by which the client sends its secret. */
  readonly authentication: 'basic' | 'post';
  /** Whether every response to a sign-in names its issuer. */
  readonly namesIssuer: boolean;
}

const responseMsMax = 10_000;

/**
 * Reads the provider's endpoints.
 * @throws Error if it does not respond, is not the provider in the settings, or has an unencrypted address
 */
export async function discoverProvider({ issuer }: ProviderSettings): Promise<DiscoveredProvider> {
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const response = await fetch(discoveryUrl, {
    redirect: 'error',
    signal: AbortSignal.timeout(responseMsMax),
  });
  if (!response.ok) throw new Error(`${discoveryUrl} responded with ${response.status}`);
  const found: unknown = await response.json();
  if (typeof found !== 'object' || found === null) throw new Error(`${discoveryUrl} is not a JSON object`);
  const document: Readonly<Record<string, unknown>> = { ...found };
  const named = document.issuer;
  // Some providers write a trailing slash; settings never have one.
  if (typeof named !== 'string' || named.replace(/\/+$/, '') !== issuer) {
    throw new Error(`${discoveryUrl} names the issuer ${String(named)}, and STOA_OIDC_ISSUER is ${issuer}`);
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

/** Secrets and codes are sent to these addresses. */
function parseAddress(name: string, value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value) && isSafeAddress(new URL(value))) return value;
  throw new Error(`the provider's ${name} is not an https:// address: ${String(value)}`);
}

/**
 * Reads the provider's facts about a person in addition to the token.
 * @throws Error if it does not respond, or describes another person
 */
export async function readUserInfo(
  userInfoUrl: string,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    signal: AbortSignal.timeout(responseMsMax),
  });
  if (!response.ok) throw new Error(`the provider's userinfo_endpoint responded with ${response.status}`);
  const found: unknown = await response.json();
  const claims = typeof found === 'object' && found !== null ? { ...found } : {};
  if (!('sub' in claims) || claims.sub !== subject) {
    throw new Error("the provider's userinfo_endpoint describes another person than its token");
  }
  return claims;
}
