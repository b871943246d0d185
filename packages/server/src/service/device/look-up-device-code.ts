import type { UserCode } from '@stoa/core';
import type { Caller } from '../access.ts';
import { requireSession } from '../keys/require-session.ts';
import { admitAttemptScript } from '../people/admit-attempt.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { lookUpsPerPerson } from './device-code.ts';
import { type ReviewedCode, requireUserCode, reviewDeviceCode } from './review-device-code.ts';

/** Details for the approval page. Times are milliseconds since the epoch. */
export type DeviceCodeView = Pick<
  ReviewedCode,
  'userCode' | 'state' | 'clientAddress' | 'userAgent' | 'createdAt' | 'expiresAt' | 'workspaceId'
>;

export const lookUpDeviceCodeScript = defineScript<
  { readonly userCode: UserCode; readonly userId: string; readonly now: number },
  DeviceCodeView
>('device.lookUp', async (tx, command) => {
  const { userCode, state, clientAddress, userAgent, createdAt, expiresAt, workspaceId } =
    await reviewDeviceCode(tx, command);
  return { userCode, state, clientAddress, userAgent, createdAt, expiresAt, workspaceId };
});

/**
 * Shows who requests access, and claims the code for the caller: from now on it is unknown to all other users.
 * @throws WorkspaceError `rate_limited`, and those of `reviewDeviceCode`
 */
export async function lookUpDeviceCode(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  caller: Caller,
  typed: string,
): Promise<DeviceCodeView> {
  requireSession(caller);
  const { userId } = caller.actor;
  const now = deps.clock();
  const bucket = `device-lookup:${userId}`;
  await deps.store.transact(admitAttemptScript, { bucket, limit: lookUpsPerPerson, now });
  return await deps.store.transact(lookUpDeviceCodeScript, { userCode: requireUserCode(typed), userId, now });
}
