import type { Grant, Principal } from '@stoa/core';

/** A stored API key, without its secret. `deletedAt` marks the tombstone of a revoked key. */
export interface KeyRow extends Grant {
  readonly id: string;
  readonly userId: string;
  /** Null for an account-wide key. */
  readonly workspaceId: string | null;
  readonly name: string;
  /** The first characters of the secret, by which its owner recognises the key. */
  readonly start: string;
  readonly principal: Principal;
  readonly disabled: boolean;
  readonly expiresAt: number | null;
  /** Lifetime in days from its creation; null: it does not expire. */
  readonly expiresInDays: number | null;
  readonly deletedAt: number | null;
  readonly createdAt: number;
  /** Sampled: at most a few writes an hour, so that authentication does not need a write each time. */
  readonly lastUsedAt: number | null;
}

export interface KeyReader {
  /**
   * Finds a key and its owner’s name by the hash of the secret, in one query for the hot path. Includes revoked keys;
   * keys of a disabled user appear as disabled.
   */
  findByHash(secretHash: string): Promise<{ readonly key: KeyRow; readonly userName: string } | null>;
  find(keyId: string): Promise<KeyRow | null>;
  /** A user's keys that are not revoked, oldest first. */
  listOf(userId: string): Promise<readonly KeyRow[]>;
}

export interface KeyWriter {
  insertKey(
    row: Omit<KeyRow, 'disabled' | 'deletedAt' | 'lastUsedAt'> & { readonly secretHash: string },
  ): Promise<void>;
  /** Removes a user's revoked keys except the newest `kept`, a few at a time. */
  forgetRevokedKeys(userId: string, kept: number): Promise<void>;
  /** Leaves a tombstone, which distinguishes later use of a revoked key from an unknown key. */
  revokeKey(keyId: string, deletedAt: number): Promise<void>;
  /** Deletes all of a user's keys, with their tombstones. @returns their number, including revoked ones. */
  deleteKeysOf(userId: string): Promise<number>;
  touchKey(keyId: string, lastUsedAt: number): Promise<void>;
}
