import { hash, randomBytes, randomInt } from 'node:crypto';
import { type UserCode, userCodeAlphabet, userCodeCharacters, userCodeOf } from '@stoa/core';

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
