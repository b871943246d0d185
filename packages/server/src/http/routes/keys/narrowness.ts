import { endOfDays, type KeyAccess } from '@stoa/core';
import type { KeyRow } from '../../../service/ports/keys.ts';

/** The restrictions of a key in responses. An absent field means no restriction. */
export function narrownessOf(key: Pick<KeyRow, 'access' | 'path' | 'expiresInDays' | 'createdAt'>): {
  readonly access?: KeyAccess;
  readonly path?: string;
  readonly expiresAt?: string;
} {
  const { access, path, expiresInDays, createdAt } = key;
  // Not the row's own expiry: a key that its device has not fetched yet expires with the code.
  const expiresAt = expiresInDays === null ? null : endOfDays(createdAt, expiresInDays);
  return {
    ...(access === 'write' ? {} : { access }),
    ...(path === '' ? {} : { path }),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}
