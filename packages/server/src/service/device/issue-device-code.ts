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
  /** For the user to compare. */
  readonly userCode: UserCode;
}

const userAgentMaxCharacters = 200;
/** Even with a million active codes, only one in 38,000 draws collides. */
const drawsMax = 5;

/** @returns whether the user code was free; if not, nothing is stored or counted. */
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
 * Starts a device flow. It creates the key's secret now, because the device code that encrypts it is available only
 * now; the key itself does not exist until a user approves.
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

/** The client's user agent, without control characters and cut to a length that can be shown. */
function visiblePart(text: string): string {
  return text.slice(0, userAgentMaxCharacters).replace(/\p{C}/gu, '').trim();
}
