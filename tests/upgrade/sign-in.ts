import { createStoaClient, type StoaClient } from '@stoa/client';

/** Signs in a person who already has an account. */
export async function signIn(
  baseUrl: string,
  person: { readonly email: string; readonly password: string },
): Promise<StoaClient> {
  const response = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password }),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok)
    throw new Error(`${person.email} cannot sign in: ${response.status} ${await response.text()}`);
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
