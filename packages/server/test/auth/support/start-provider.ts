/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { ProviderSettings } from '../../../src/auth/auth-deps.ts';

/** A user as a provider knows them. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
}

type TokenResponse = Record<string, unknown>;

export interface ProviderUnderTest extends AsyncDisposable {
  readonly settings: ProviderSettings;
  /** Registers a server at this address as the client. Call it once. */
  serve(clientUrl: string): void;
  /** The user at the browser, who signs in at once, without a form. */
  person: ProviderPerson;
  /** Changes the response of the token endpoint; null leaves it. */
  tamper: ((response: TokenResponse) => TokenResponse) | null;
  /** Changes what the discovery document says; null leaves it. */
  rediscover: ((document: Record<string, unknown>) => Record<string, unknown>) | null;
  /**
   * The same response with other claims in its token, signed by the provider's own key unless another is
   * given.
   */
  resign(
    response: TokenResponse,
    changed: Readonly<Record<string, unknown>>,
    withOtherKey?: boolean,
  ): TokenResponse;
  /** Goes where the server sends a browser, and through the provider. @returns the address it is sent back to. */
  authorize(url: string): Promise<URL>;
}

const clientId = 'stoa';
const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** A provider of OpenID Connect on this machine, which knows this server as its client. */
export async function startProvider(): Promise<ProviderUnderTest> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientSecret = randomBytes(16).toString('hex');
  const key = makeKey();
  const openProvider = (clientUrl: string) =>
    new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${clientUrl}/api/auth/callback/oidc`],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'own' }] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      ttl: {
        Interaction: 7200,
        Grant: 7200,
        Session: 7200,
        AccessToken: 7200,
        IdToken: 7200,
        AuthorizationCode: 7200,
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => {
        const { person } = running;
        return { accountId, claims: () => person };
      },
      async loadExistingGrant({ oidc }: { oidc: { provider: Provider; session: { accountId: string } } }) {
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  const running: ProviderUnderTest = {
    settings: { issuer, clientId, clientSecret, name: 'Example staff', signup: 'open' },
    serve(clientUrl) {
      const provider = openProvider(clientUrl);
      provider.use(async (context, next) => {
        await next();
        const { body } = context;
        if (typeof body !== 'object' || body === null) return;
        const { rediscover } = running;
        if (context.oidc?.route === 'discovery' && rediscover !== null)
          context.body = rediscover({ ...body });
        if (context.oidc?.route !== 'token') return;
        if (running.tamper !== null) context.body = running.tamper({ ...body });
      });
      const callback = provider.callback();
      server.on('request', (request, response) => {
        if (request.url?.startsWith('/interaction/') !== true) return callback(request, response);
        const login = { accountId: running.person.sub };
        provider.interactionFinished(request, response, { login }).catch((error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        });
      });
    },
    person: { sub: 'nobody' },
    tamper: null,
    rediscover: null,
    resign(response, changed, withOtherKey = false) {
      const [header = '', payload = ''] = String(response.id_token).split('.');
      const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...changed };
      const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      const by = { key: withOtherKey ? makeKey() : key, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(signed), by).toString('base64url');
      return { ...response, id_token: `${signed}.${signature}` };
    },
    async authorize(url) {
      const jar = new Map<string, string>();
      let at = new URL(url);
      for (let step = 0; step < 6 && at.origin === issuer; step += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const seen = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of seen.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = seen.headers.get('location');
        if (location === null) throw new Error(`the provider stays at ${at}: ${await seen.text()}`);
        at = new URL(location, at);
      }
      return at;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return running;
}
