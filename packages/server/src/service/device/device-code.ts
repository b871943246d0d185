import { hash, randomBytes, randomInt } from 'node:crypto';
import { type UserCode, userCodeAlphabet, userCodeCharacters, userCodeOf } from '@stoa/core';

const deviceCodeBytes = 32;

/** What the device keeps for itself: 256 random bits. */
export function issueDeviceCodeText(): string {
  return randomBytes(deviceCodeBytes).toString('base64url');
}

/** By which a device code is looked up: the code itself is kept nowhere. */
export function hashDeviceCode(deviceCode: string): string {
  return hash('sha256', deviceCode);
}

export function issueUserCode(): UserCode {
  return userCodeOf(Array.from({ length: userCodeCharacters }, () => randomInt(userCodeAlphabet.length)));
}
