import type { Grant, Principal } from '@stoa/core';

/** An API key as kept: never its secret. `deletedAt` marks the tombstone of a revoked key. */
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
  /** How many days after its making it ends by itself; null: it was made without an end. */
  readonly expiresInDays: number | null;
  readonly deletedAt: number | null;
  readonly createdAt: number;
  /** Sampled: at most a few writes an hour, so that authenticating costs no write. */
  readonly lastUsedAt: number | null;
}

export interface KeyReader {
  /**
   * By the hash of the secret; finds revoked keys too, and those of a disabled person as disabled. One query for the hot
   * path: the key and its owner’s name.
   */
  findByHash(secretHash: string): Promise<{ readonly key: KeyRow; readonly userName: string } | null>;
  find(keyId: string): Promise<KeyRow | null>;
  /** Keys of a person that are not revoked, oldest first. */
  listOf(userId: string): Promise<readonly KeyRow[]>;
}

export interface KeyWriter {
  insertKey(
    row: Omit<KeyRow, 'disabled' | 'deletedAt' | 'lastUsedAt'> & { readonly secretHash: string },
  ): Promise<void>;
  /** Forgets a person's revoked keys but the `kept` that were made last, a few at a time. */
  forgetRevokedKeys(userId: string, kept: number): Promise<void>;
  /** Leaves a tombstone, so that the key's later use is told apart from an unknown key. */
  revokeKey(keyId: string, deletedAt: number): Promise<void>;
  /** All of a person's keys, without a trace. @returns how many there were, revoked ones included. */
  deleteKeysOf(userId: string): Promise<number>;
  touchKey(keyId: string, lastUsedAt: number): Promise<void>;
}
