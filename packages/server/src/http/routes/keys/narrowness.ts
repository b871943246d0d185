import { endOfDays, type KeyAccess } from '@stoa/core';
import type { KeyRow } from '../../../service/ports/keys.ts';

/** How a key is narrow, as answers tell it: of what is not limited nothing is said. */
export function narrownessOf(key: Pick<KeyRow, 'access' | 'path' | 'expiresInDays' | 'createdAt'>): {
  readonly access?: KeyAccess;
  readonly path?: string;
  readonly expiresAt?: string;
} {
  const { access, path, expiresInDays, createdAt } = key;
  // Not the row's own end: a key that its device has not fetched yet ends with the code.
  const expiresAt = expiresInDays === null ? null : endOfDays(createdAt, expiresInDays);
  return {
    ...(access === 'write' ? {} : { access }),
    ...(path === '' ? {} : { path }),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}
