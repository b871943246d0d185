import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Time during which a poll of an ended code returns the reason instead of "unknown". */
const keptAfterExpiryMs = 24 * 60 * 60 * 1000;
const codesPerStep = 100;
const stepsMax = 1000;

export interface DeviceSweepReport {
  /** Approved keys that were not fetched in time. */
  readonly withdrawnKeys: number;
  readonly removedCodes: number;
}

export const sweepDeviceCodesScript = defineScript<
  { readonly now: number },
  DeviceSweepReport & { readonly more: boolean }
>('device.sweep', async (tx, { now }) => {
  const sealed = await tx.deviceCodes.listSealed(now, codesPerStep);
  let withdrawnKeys = 0;
  for (const { deviceCodeHash } of sealed) {
    const code = await tx.write.lockDeviceCode(deviceCodeHash);
    // Another node may have delivered it a moment earlier.
    if (!(await tx.write.dropSealedSecret(deviceCodeHash)) || code === null || code.keyId === null) continue;
    await tx.write.revokeKey(code.keyId, now);
    withdrawnKeys += 1;
  }
  const removedCodes = await tx.write.removeDeviceCodes(now - keptAfterExpiryMs, codesPerStep);
  return {
    withdrawnKeys,
    removedCodes,
    more: sealed.length === codesPerStep || removedCodes === codesPerStep,
  };
});

/** Destroys the secrets of expired codes and the keys that were not fetched, and removes codes that ended long ago. */
export async function sweepDeviceCodes(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<DeviceSweepReport> {
  let withdrawnKeys = 0;
  let removedCodes = 0;
  for (let step = 0; step < stepsMax && signal?.aborted !== true; step += 1) {
    const swept = await deps.store.transact(sweepDeviceCodesScript, { now: deps.clock() });
    withdrawnKeys += swept.withdrawnKeys;
    removedCodes += swept.removedCodes;
    if (!swept.more) break;
  }
  return { withdrawnKeys, removedCodes };
}
