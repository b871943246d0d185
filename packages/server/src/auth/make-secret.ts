import { randomBytes } from 'node:crypto';

const secretBytes = 32;

/** A secret that signs session cookies: 256 random bits, as a text without white space. */
export function makeSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}
