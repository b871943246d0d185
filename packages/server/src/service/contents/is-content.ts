import { hash } from 'node:crypto';
import type { ContentHash } from '@stoa/core';

/** Whether bytes in the database match their hash. */
export function isContent(bytes: Uint8Array, contentHash: ContentHash): boolean {
  return hash('sha256', bytes) === contentHash;
}
