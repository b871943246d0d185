import { randomBytes } from 'node:crypto';
import { createStoaClient, type StoaClient } from '@stoa/client';

export interface Account {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export function makeAccount(name: string, email: string): Account {
  return { name, email, password: makePassword() };
}

export function makePassword(): string {
  return randomBytes(9).toString('base64url');
}

/**
 * Signs a person up, who is then signed in.
 * @param inviteToken required for everyone except the first person of a service.
 */
export async function signUp(
  baseUrl: string,
  account: Account,
  inviteToken: string | null = null,
): Promise<StoaClient> {
  const response = await fetch(`${baseUrl}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(inviteToken === null ? account : { ...account, inviteToken }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${account.name} cannot sign up: ${response.status} ${text}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return createStoaClient({
    baseUrl,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Cookie', cookie);
      return fetch(input, { ...init, headers });
    },
  });
}
