import type { DeviceCodeFacts, UserCode } from '@stoa/core';

/** A device code as kept: of the code itself and of the key's secret only hashes, and the secret sealed. */
export interface DeviceCodeRow extends DeviceCodeFacts {
  readonly deviceCodeHash: string;
  readonly userCode: UserCode;
  /** Where the request came from, for the person who is asked. */
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Null until it is approved. */
  readonly workspaceId: string | null;
  readonly keyId: string | null;
  /** Of the key that an approval will make. */
  readonly secretHash: string;
  readonly secretStart: string;
  /** Null once it was delivered, denied or expired. */
  readonly sealedSecret: Uint8Array | null;
}

export type NewDeviceCode = Pick<
  DeviceCodeRow,
  | 'deviceCodeHash'
  | 'userCode'
  | 'clientAddress'
  | 'userAgent'
  | 'createdAt'
  | 'expiresAt'
  | 'secretHash'
  | 'secretStart'
> & { readonly sealedSecret: Uint8Array };

export interface DeviceCodeReader {
  findByDeviceCode(deviceCodeHash: string): Promise<DeviceCodeRow | null>;
  findByUserCode(userCode: UserCode): Promise<DeviceCodeRow | null>;
  /** Codes that expired by `expiredBy` and still hold a sealed secret, at most `limit`. */
  listSealed(expiredBy: number, limit: number): Promise<readonly DeviceCodeRow[]>;
}

/** Each that answers a boolean is one conditional update: true when it was this call that made the change. */
export interface DeviceCodeWriter {
  insertDeviceCode(row: NewDeviceCode): Promise<void>;
  /** Locks the code until the commit and reads it: polls and answers of one code take turns. */
  lockDeviceCode(deviceCodeHash: string): Promise<DeviceCodeRow | null>;
  /** Gives a code that nobody claimed to this person. */
  claimDeviceCode(deviceCodeHash: string, userId: string): Promise<void>;
  /** Only of a pending code that is this person's. */
  approveDeviceCode(approval: {
    readonly deviceCodeHash: string;
    readonly userId: string;
    readonly workspaceId: string;
    readonly keyId: string;
  }): Promise<boolean>;
  /** Of a code that is pending or approved; the sealed secret is destroyed. */
  denyDeviceCode(deviceCodeHash: string): Promise<boolean>;
  /** All that this person claimed and whose key was not fetched yet. @returns how many there were. */
  denyDeviceCodesOf(userId: string): Promise<number>;
  noteDevicePoll(deviceCodeHash: string, polledAt: number): Promise<void>;
  /** Of an approved code whose secret is still there: consumed, and the secret gone. */
  consumeDeviceCode(deviceCodeHash: string, polledAt: number): Promise<boolean>;
  /** Destroys the sealed secrets of expired codes. */
  dropSealedSecret(deviceCodeHash: string): Promise<boolean>;
  /** Removes codes that expired by `expiredBy`, at most `limit`. @returns how many. */
  removeDeviceCodes(expiredBy: number, limit: number): Promise<number>;
  /** Makes a key live on beyond the end of the code that made it: for its days, where it has a number of them. */
  keepKeyBeyondExpiry(keyId: string): Promise<void>;
}
