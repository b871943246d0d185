import { decideReview, parseUserCode, type UserCode, WorkspaceError } from '@stoa/core';
import type { DeviceCodeRow } from '../ports/device-codes.ts';
import type { Transaction } from '../ports/transaction.ts';
import { rejectDeviceCode } from './device-code.ts';

/** A code that its user can still decide about, or has approved before delivery. It is now claimed by that user. */
export type ReviewedCode = Omit<DeviceCodeRow, 'state'> & { readonly state: 'pending' | 'approved' };

/**
 * Finds, locks and claims the code that a user entered, inside the transaction that acts on it.
 * @throws WorkspaceError `invalid_grant` for a code that is unknown or claimed by another user; `already_consumed`,
 * `expired_token`, `access_denied`
 */
export async function reviewDeviceCode(
  tx: Transaction,
  { userCode, userId, now }: { readonly userCode: UserCode; readonly userId: string; readonly now: number },
): Promise<ReviewedCode> {
  const found = await tx.deviceCodes.findByUserCode(userCode);
  const code = found === null ? null : await tx.write.lockDeviceCode(found.deviceCodeHash);
  const decision = decideReview(code, userId, now);
  if (decision !== 'pending' && decision !== 'approved') return rejectDeviceCode(decision);
  if (code === null) throw new Error('a missing device code was not rejected as unknown');
  await tx.write.claimDeviceCode(code.deviceCodeHash, userId);
  return { ...code, state: decision, claimedBy: userId };
}

/** @throws WorkspaceError `invalid_grant` for a text that cannot be a code. */
export function requireUserCode(typed: string): UserCode {
  const userCode = parseUserCode(typed);
  if (userCode === null) throw new WorkspaceError('invalid_grant');
  return userCode;
}
