import { decidePoll, devicePollIntervalSeconds, type PollDecision, WorkspaceError } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { hashDeviceCode, rejectDeviceCode } from './device-code.ts';
import { openSecret } from './seal-secret.ts';

export type PollOutcome =
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'approved';
      readonly secret: string;
      readonly keyId: string;
      readonly workspaceId: string;
    };

type KeptPoll =
  | { readonly kind: Exclude<PollDecision, 'deliver'> | 'unknown' }
  | {
      readonly kind: 'delivered';
      readonly sealedSecret: Uint8Array;
      readonly keyId: string;
      readonly workspaceId: string;
    };

/** Rejections are outcomes here: the interval to the next poll counts from a rejected poll, so it must be stored. */
export const pollDeviceCodeScript = defineScript<
  { readonly deviceCodeHash: string; readonly now: number },
  KeptPoll
>('device.poll', async (tx, { deviceCodeHash, now }) => {
  const code = await tx.write.lockDeviceCode(deviceCodeHash);
  if (code === null) return { kind: 'unknown' };
  const decision = decidePoll(code, now);
  if (decision !== 'deliver') {
    await tx.write.noteDevicePoll(deviceCodeHash, now);
    return { kind: decision };
  }
  const { keyId, workspaceId, sealedSecret } = code;
  if (keyId === null || workspaceId === null) throw new Error('an approved device code names no key');
  const key = await tx.keys.find(keyId);
  // The key was revoked, or its user removed from the workspace, between approval and delivery.
  if (key === null || key.deletedAt !== null) {
    await tx.write.denyDeviceCode(deviceCodeHash);
    return { kind: 'denied' };
  }
  const consumed = await tx.write.consumeDeviceCode(deviceCodeHash, now);
  if (!consumed || sealedSecret === null) return { kind: 'consumed' };
  await tx.write.keepKeyBeyondExpiry(keyId);
  return { kind: 'delivered', sealedSecret, keyId, workspaceId };
});

/**
 * Polls a code, and fetches its key once after approval (interface: device-flow).
 * @throws WorkspaceError `invalid_grant`, `already_consumed`, `expired_token`, `access_denied`, `slow_down`
 */
export async function pollDeviceCode(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  deviceCode: string,
): Promise<PollOutcome> {
  const deviceCodeHash = hashDeviceCode(deviceCode);
  const now = deps.clock();
  const known = await deps.store.reader.deviceCodes.findByDeviceCode(deviceCodeHash);
  // An ended code stays ended. The response needs no write, which any client could otherwise cause without limit.
  if (known === null) return rejectDeviceCode('unknown');
  const early = decidePoll(known, now);
  if (early === 'consumed' || early === 'expired' || early === 'denied') return rejectDeviceCode(early);
  const kept = await deps.store.transact(pollDeviceCodeScript, { deviceCodeHash, now });
  switch (kept.kind) {
    case 'unknown':
    case 'consumed':
    case 'expired':
    case 'denied':
      return rejectDeviceCode(kept.kind);
    case 'slow_down':
      throw new WorkspaceError('slow_down', { retryAfterSeconds: devicePollIntervalSeconds });
    case 'pending':
      return { kind: 'pending' };
    case 'delivered': {
      const { sealedSecret, keyId, workspaceId } = kept;
      return { kind: 'approved', secret: openSecret(sealedSecret, deviceCode), keyId, workspaceId };
    }
  }
}
