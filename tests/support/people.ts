import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { HttpClient } from './http-client.ts';
import { jsonOf, recordOf, textAt } from './response.ts';

/** A person with an account, signed in by cookie in `session`. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly session: HttpClient;
}

/** A person who can also sign in with a password. */
export interface SignedUpPerson extends Person {
  readonly email: string;
  readonly password: string;
}

export interface ApiKey {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly actorType: 'agent' | 'human';
  /** The same server, called with this key only. */
  readonly client: HttpClient;
}

/** Makes an account with its own address and signs in. */
export async function signUp(server: HttpClient, name = 'Ada Lovelace'): Promise<SignedUpPerson> {
  const email = `${randomUUID()}@example.org`;
  // See `cheap-passwords.cjs`.
  const password = `cheap to hash ${randomUUID()}`;
  const response = await server.send('POST', '/api/auth/sign-up/email', {
    json: { email, password, name },
  });
  assert.equal(response.status, 200, `sign-up: ${response.status} ${response.bytes.toString()}`);
  const cookies = (response.headers.get('set-cookie') ?? []).map((cookie) => cookie.split(';', 1)[0]);
  assert.ok(cookies.length > 0, 'signing up sets no cookie');
  const session = server.as({ cookie: cookies.join('; '), origin: new URL(server.url).origin });
  const user = recordOf(jsonOf(await session.send('GET', '/api/me')).user);
  return { id: textAt(user, 'id'), name, email, password, session };
}

/**
 * Makes a key for the person. With `workspaceId` it reaches only that workspace, and other options limit it
 * more.
 */
export async function createKey(
  person: Person,
  options: {
    readonly name?: string;
    readonly actorType?: 'agent' | 'human';
    readonly workspaceId?: string;
    readonly access?: 'read' | 'comment' | 'write';
    readonly path?: string;
    readonly expiresInDays?: number;
  } = {},
): Promise<ApiKey> {
  const actorType = options.actorType ?? 'agent';
  const response = await person.session.send('POST', '/api/keys', { json: { ...options, actorType } });
  assert.equal(response.status, 200, `create key: ${response.status} ${response.bytes.toString()}`);
  const key = jsonOf(response);
  const secret = textAt(key, 'key');
  return {
    id: textAt(key, 'id'),
    secret,
    name: textAt(key, 'name'),
    actorType,
    client: person.session.as({ 'x-api-key': secret }),
  };
}
