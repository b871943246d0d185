import {
  type Grant,
  keyNameMaxCharacters,
  type Principal,
  parseVisibleLine,
  principalOf,
  type UserCode,
  WorkspaceError,
  workspaceKeyName,
} from '@stoa/core';
import { type AccessQuestion, type Caller, openWorkspace } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { insertKey, type KeyLimits, parseGrant } from '../keys/create-key.ts';
import { requireSession } from '../keys/require-session.ts';
import { admitAttemptScript } from '../people/admit-attempt.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { approvalsPerPerson } from './device-code.ts';
import { requireUserCode, reviewDeviceCode } from './review-device-code.ts';

export interface ApprovalInput extends KeyLimits {
  /** As typed. */
  readonly userCode: string;
  readonly workspaceId: string;
  readonly name?: string | undefined;
  /** Any value except `agent` makes a `human` key. */
  readonly actorType?: unknown;
}

export interface Approval {
  readonly keyId: string;
  readonly workspaceId: string;
}

interface ApproveDeviceCode extends AccessQuestion, Grant {
  readonly userCode: UserCode;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly name: string;
  readonly principal: Principal;
  readonly expiresInDays: number | null;
}

/**
 * Creates the key with the expiry of the code. Only its delivery extends it, so that a key which is never fetched stops
 * working even before the sweep.
 */
export const approveDeviceCodeScript = defineAuditedScript<ApproveDeviceCode, Approval>(
  'device.approve',
  async (tx, command) => {
    const { credential, workspaceId, keyId, name, principal, access, path, expiresInDays, now } = command;
    const { userId } = credential;
    const code = await reviewDeviceCode(tx, { userCode: command.userCode, userId, now });
    if (code.state === 'approved') {
      if (code.workspaceId !== workspaceId || code.keyId === null) {
        throw new WorkspaceError('device_code_approved');
      }
      return { keyId: code.keyId, workspaceId };
    }
    const { deviceCodeHash, secretHash, secretStart, expiresAt } = code;
    const approved = await tx.write.approveDeviceCode({ deviceCodeHash, userId, workspaceId, keyId });
    if (!approved) throw new Error('a pending device code could not be approved');
    const key = { id: keyId, secretHash, start: secretStart, workspaceId, name, principal };
    const limits = { access, path, expiresInDays, expiresAt };
    await insertKey(tx, 'key.approve', { ...key, ...limits, maker: { credential, now } });
    return { keyId, workspaceId };
  },
);

/**
 * Approves a key of one workspace for the device. Approving again for the same workspace changes nothing.
 * @throws WorkspaceError `invalid_request`, `rate_limited`, `workspace_not_found`, `not_a_member`,
 * `device_code_approved`, `too_many_keys`, `invalid_path`, and those of `reviewDeviceCode`
 */
export async function approveDeviceCode(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  caller: Caller,
  input: ApprovalInput,
): Promise<Approval> {
  requireSession(caller);
  const { workspaceId } = input;
  const name = parseVisibleLine('name', input.name ?? workspaceKeyName, keyNameMaxCharacters);
  const principal = principalOf(input.actorType);
  const now = deps.clock();
  const bucket = `device-approve:${caller.actor.userId}`;
  await deps.store.transact(admitAttemptScript, { bucket, limit: approvalsPerPerson, now });
  await openWorkspace(deps, caller, workspaceId);
  const grant = parseGrant(input, workspaceId);
  const userCode = requireUserCode(input.userCode);
  const keyId = deps.ids('key');
  const { credential } = caller;
  const { expiresInDays = null } = input;
  const key = { workspaceId, keyId, name, principal, ...grant, expiresInDays };
  return await deps.store.transact(approveDeviceCodeScript, { userCode, credential, now, ...key });
}
