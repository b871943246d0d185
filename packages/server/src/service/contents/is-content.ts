import { hash } from 'node:crypto';
import type { ContentHash } from '@stoa/core';

/** Whether bytes of the database are those that were written. */
export function isContent(bytes: Uint8Array, contentHash: ContentHash): boolean {
  return hash('sha256', bytes) === contentHash;
}
