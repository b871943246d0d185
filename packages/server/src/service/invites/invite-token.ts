import { hash, randomBytes } from 'node:crypto';

export interface InviteToken {
  /** 256 random bits in URL-safe characters. Shown once. */
  readonly token: string;
  readonly tokenHash: string;
}

const shape = /^[A-Za-z0-9_-]{43}$/;

export function issueInviteToken(): InviteToken {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hash('sha256', token) };
}

/** Returns the hash for looking a token up, or null for a malformed token. */
export function hashInviteToken(presented: string): string | null {
  return shape.test(presented) ? hash('sha256', presented) : null;
}
