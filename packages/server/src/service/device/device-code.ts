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

/** The device's own secret: 256 random bits. */
export function issueDeviceCodeText(): string {
  return randomBytes(deviceCodeBytes).toString('base64url');
}

/** Finds a device code; the code itself is not kept. */
export function hashDeviceCode(deviceCode: string): string {
  return hash('sha256', deviceCode);
}

export function issueUserCode(): UserCode {
  return userCodeOf(Array.from({ length: userCodeCharacters }, () => randomInt(userCodeAlphabet.length)));
}

/** A code that can no longer lead to a key, as the refusal that says so. */
export function refuseDeviceCode(end: 'unknown' | 'consumed' | 'expired' | 'denied'): never {
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

/** Codes asked for by one address (interface: limits). */
export const codesPerAddress: AttemptLimit = { max: 5, windowSeconds: 10 * 60 };
/** Approvals tried by one person, whatever came of them: a code must not be found by guessing (interface: limits). */
export const approvalsPerPerson: AttemptLimit = { max: 10, windowSeconds: 15 * 60 };
/** Codes looked up or denied by one person: room for every honest slip, and none for guessing. */
export const lookUpsPerPerson: AttemptLimit = { max: 60, windowSeconds: 15 * 60 };
