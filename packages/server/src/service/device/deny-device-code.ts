import type { UserCode } from '@stoa/core';
import { WorkspaceError } from '@stoa/core';
import type { Caller } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { requireSession } from '../keys/require-session.ts';
import { keyRevoked } from '../keys/revoke-key.ts';
import { admitAttemptScript } from '../people/admit-attempt.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { lookUpsPerPerson } from './device-code.ts';
import { requireUserCode, reviewDeviceCode } from './review-device-code.ts';

export const denyDeviceCodeScript = defineAuditedScript<
  { readonly userCode: UserCode; readonly userId: string; readonly now: number },
  void
>('device.deny', async (tx, command) => {
  const code = await reviewDeviceCode(tx, command);
  await tx.write.denyDeviceCode(code.deviceCodeHash);
  if (code.keyId === null) {
    const { userId, now } = command;
    const details = { deviceAddress: code.clientAddress, deviceProgram: code.userAgent };
    tx.noteAudit({ action: 'key.deny', at: now, personId: userId, details });
    return;
  }
  // It was approved by mistake and not fetched yet.
  const key = await tx.keys.find(code.keyId);
  if (key === null || key.deletedAt !== null) return;
  await tx.write.revokeKey(key.id, command.now);
  tx.noteAudit(keyRevoked(key, command.now));
});

/**
 * Denies the device's request, even after an approval whose key was not fetched yet. Denying again changes nothing.
 * @throws WorkspaceError `rate_limited`, and those of `reviewDeviceCode` except `access_denied`
 */
export async function denyDeviceCode(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  caller: Caller,
  typed: string,
): Promise<void> {
  requireSession(caller);
  const { userId } = caller.actor;
  const now = deps.clock();
  const bucket = `device-lookup:${userId}`;
  await deps.store.transact(admitAttemptScript, { bucket, limit: lookUpsPerPerson, now });
  try {
    await deps.store.transact(denyDeviceCodeScript, { userCode: requireUserCode(typed), userId, now });
  } catch (error) {
    const isDenied = error instanceof WorkspaceError && error.code === 'access_denied';
    if (!isDenied) throw error;
  }
}
