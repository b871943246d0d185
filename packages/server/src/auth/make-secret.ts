import { randomBytes } from 'node:crypto';

const secretBytes = 32;

/** Makes a secret to sign session cookies: 256 random bits, as text without white space. */
export function makeSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}
