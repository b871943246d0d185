/** A status, the text, and the data beside it. */
export type Refusal = readonly [status: number, says: string, data?: unknown];

/** What a request without a credential that counts is told. */
export const notSignedIn: Refusal = [
  401,
  'Not signed in: send an API key in the x-api-key header, or sign in',
];

/** What a rejected key is told, by the reason. */
export function badKey(reason: string): Refusal {
  const text = 'The API key was not accepted: check it, or make a new one';
  return [401, text, { error: 'invalid_api_key', reason }];
}
