import { deviceCodeLifetimeSeconds, type UserCode } from '@stoa/core';
import { issueApiKeySecret } from '../keys/api-key-secret.ts';
import { addressBucket } from '../people/address-bucket.ts';
import { admitAttempt } from '../people/admit-attempt.ts';
import type { NewDeviceCode } from '../ports/device-codes.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { codesPerAddress, hashDeviceCode, issueDeviceCodeText, issueUserCode } from './device-code.ts';
import { sealSecret } from './seal-secret.ts';

export interface IssuedDeviceCode {
  /** The device's own secret, which fetches the key. */
  readonly deviceCode: string;
  /** For the person to compare. */
  readonly userCode: UserCode;
}

const userAgentMaxCharacters = 200;
/** Even with a million codes alive, a second draw is needed once in 38,000 times. */
const drawsMax = 5;

/** @returns whether the user code was still free; without it nothing is kept, and nothing counted. */
export const insertDeviceCodeScript = defineScript<
  { readonly code: NewDeviceCode; readonly bucket: string },
  'kept' | 'taken'
>('device.insert', async (tx, { code, bucket }) => {
  if ((await tx.deviceCodes.findByUserCode(code.userCode)) !== null) return 'taken';
  await admitAttempt(tx, { bucket, limit: codesPerAddress, now: code.createdAt });
  await tx.write.insertDeviceCode(code);
  return 'kept';
});

/**
 * Begins a device flow. The key's secret is made now, while the device code is at hand to seal it with; there is no key
 * until a person approves.
 * @throws WorkspaceError `rate_limited`
 */
export async function issueDeviceCode(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  device: { readonly clientAddress: string; readonly userAgent: string },
): Promise<IssuedDeviceCode> {
  const deviceCode = issueDeviceCodeText();
  const { secret, secretHash, start } = issueApiKeySecret();
  const createdAt = deps.clock();
  const bucket = `device-code:${addressBucket(device.clientAddress)}`;
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const userCode = issueUserCode();
    const outcome = await deps.store.transact(insertDeviceCodeScript, {
      bucket,
      code: {
        deviceCodeHash: hashDeviceCode(deviceCode),
        userCode,
        clientAddress: device.clientAddress,
        userAgent: visiblePart(device.userAgent),
        createdAt,
        expiresAt: createdAt + deviceCodeLifetimeSeconds * 1000,
        secretHash,
        secretStart: start,
        sealedSecret: sealSecret(secret, deviceCode),
      },
    });
    if (outcome === 'kept') return { deviceCode, userCode };
  }
  throw new Error(`${drawsMax} user codes in a row were taken`);
}

/** The program's description of itself, cut to a length that can be shown. */
function visiblePart(text: string): string {
  return text.slice(0, userAgentMaxCharacters).replace(/\p{C}/gu, '').trim();
}
