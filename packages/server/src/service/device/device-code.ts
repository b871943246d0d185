import { hash, randomBytes, randomInt } from 'node:crypto';
import {
  type AttemptLimit,
  type UserCode,
  userCodeAlphabet,
  userCodeCharacters,
  userCodeOf,
  WorkspaceError,
} from '@stoa/core';

const deviceCodeBytes = 32;

/** Returns the device's own secret: 256 random bits. */
export function issueDeviceCodeText(): string {
  return randomBytes(deviceCodeBytes).toString('base64url');
}

/** Hashes a device code for lookup; the code itself is not stored. */
export function hashDeviceCode(deviceCode: string): string {
  return hash('sha256', deviceCode);
}

export function issueUserCode(): UserCode {
  return userCodeOf(Array.from({ length: userCodeCharacters }, () => randomInt(userCodeAlphabet.length)));
}

/** Throws the error for a code that can no longer lead to a key. */
export function rejectDeviceCode(end: 'unknown' | 'consumed' | 'expired' | 'denied'): never {
  switch (end) {
    case 'unknown':
      throw new WorkspaceError('invalid_grant');
    case 'consumed':
      throw new WorkspaceError('already_consumed');
    case 'expired':
      throw new WorkspaceError('expired_token');
    case 'denied':
      throw new WorkspaceError('access_denied');
  }
}

/** Codes requested by one address (interface: limits). */
export const codesPerAddress: AttemptLimit = { max: 5, windowSeconds: 10 * 60 };
/** Approvals tried by one user, successful or not: codes must not be guessable (interface: limits). */
export const approvalsPerPerson: AttemptLimit = { max: 10, windowSeconds: 15 * 60 };
/** Lookups and denials by one user: generous for typing errors, too few for guessing. */
export const lookUpsPerPerson: AttemptLimit = { max: 60, windowSeconds: 15 * 60 };
