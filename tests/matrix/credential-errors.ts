/** A status, the text, and its data. */
export type Rejection = readonly [status: number, says: string, data?: unknown];

/** The error of a request without a valid credential. */
export const notSignedIn: Rejection = [
  401,
  'Not signed in: send an API key in the x-api-key header, or sign in',
];

/** The error of a rejected key, by the reason. */
export function badKey(reason: string): Rejection {
  const text = 'The API key was not accepted: check it, or make a new one';
  return [401, text, { error: 'invalid_api_key', reason }];
}
