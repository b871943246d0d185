import type { DeviceCodeFacts, UserCode } from '@stoa/core';

/** A stored device code: hashes of the code and of the key's secret, and the secret encrypted. */
export interface DeviceCodeRow extends DeviceCodeFacts {
  readonly deviceCodeHash: string;
  readonly userCode: UserCode;
  /** Origin of the request, shown to the user who approves it. */
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Null until it is approved. */
  readonly workspaceId: string | null;
  readonly keyId: string | null;
  /** Hash and beginning of the secret of the key that an approval creates. */
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
  /** Codes that expired by `expiredBy` and still have an encrypted secret, at most `limit`. */
  listSealed(expiredBy: number, limit: number): Promise<readonly DeviceCodeRow[]>;
}

/** Each method that returns a boolean is one conditional update: true when this call made the change. */
export interface DeviceCodeWriter {
  insertDeviceCode(row: NewDeviceCode): Promise<void>;
  /** Locks the code until the commit and reads it: serialises polls and decisions about one code. */
  lockDeviceCode(deviceCodeHash: string): Promise<DeviceCodeRow | null>;
  /** Assigns an unclaimed code to this user. */
  claimDeviceCode(deviceCodeHash: string, userId: string): Promise<void>;
  /** Approves a pending code that this user claimed. */
  approveDeviceCode(approval: {
    readonly deviceCodeHash: string;
    readonly userId: string;
    readonly workspaceId: string;
    readonly keyId: string;
  }): Promise<boolean>;
  /** Denies a pending or approved code and destroys its encrypted secret. */
  denyDeviceCode(deviceCodeHash: string): Promise<boolean>;
  /** Denies every code that this user claimed and whose key was not fetched yet. @returns their number. */
  denyDeviceCodesOf(userId: string): Promise<number>;
  noteDevicePoll(deviceCodeHash: string, polledAt: number): Promise<void>;
  /** Marks an approved code as consumed and removes its secret; false when the secret is already gone. */
  consumeDeviceCode(deviceCodeHash: string, polledAt: number): Promise<boolean>;
  /** Destroys the encrypted secret of an expired code. */
  dropSealedSecret(deviceCodeHash: string): Promise<boolean>;
  /** Removes codes that expired by `expiredBy`, at most `limit`. @returns their number. */
  removeDeviceCodes(expiredBy: number, limit: number): Promise<number>;
  /** Lets a key outlive the code that created it: for its number of days, if it has one. */
  keepKeyBeyondExpiry(keyId: string): Promise<void>;
}
