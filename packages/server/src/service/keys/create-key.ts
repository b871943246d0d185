import {
  keyNameMaxCharacters,
  keysPerPersonMax,
  type Principal,
  revokedKeysPerPersonMax,
  WorkspaceError,
} from '@stoa/core';
import { type Caller, openWorkspace } from '../access/workspace-access.ts';
import { parseVisibleLine } from '../parse-visible-line.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { issueApiKeySecret } from './api-key-secret.ts';
import { requireSession } from './require-session.ts';

export interface CreateKeyInput {
  readonly name?: string | undefined;
  /** Anything but `agent` makes a `human` key. */
  readonly actorType?: unknown;
  /** Given: the key reaches this workspace only. */
  readonly workspaceId?: string | undefined;
}

/** The only answer with the secret. */
export interface CreatedKey {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly principal: Principal;
  readonly workspaceId: string | null;
}

interface InsertKey {
  readonly id: string;
  readonly secretHash: string;
  readonly start: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  readonly name: string;
  readonly principal: Principal;
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

/** Asks for the membership again, so that no key appears after its owner's removal. */
export const insertKeyScript = defineScript<InsertKey, void>('keys.insert', async (tx, command) => {
  if (command.workspaceId !== null) {
    const found = await tx.workspaces.findWithRole(command.workspaceId, command.userId);
    if (found === null) throw new WorkspaceError('workspace_not_found');
    if (found.role === null) throw new WorkspaceError('not_a_member');
  }
  if ((await tx.keys.listOf(command.userId)).length >= keysPerPersonMax) {
    throw new WorkspaceError('too_many_keys');
  }
  await tx.write.forgetRevokedKeys(command.userId, revokedKeysPerPersonMax);
  await tx.write.insertKey(command);
});

/**
 * Makes an API key for the caller's own account (interface: access, Key management).
 * @throws WorkspaceError `key_management_needs_session`, `invalid_request`, `workspace_not_found`, `not_a_member`,
 * `too_many_keys`
 */
export async function createKey(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  caller: Caller,
  input: CreateKeyInput,
): Promise<CreatedKey> {
  requireSession(caller);
  const workspaceId = input.workspaceId ?? null;
  if (workspaceId !== null) await openWorkspace(deps, caller, workspaceId);
  const name = parseVisibleLine('name', input.name ?? defaultName(workspaceId), keyNameMaxCharacters);
  const principal: Principal = input.actorType === 'agent' ? 'agent' : 'human';
  const id = deps.ids('key');
  const { secret, start, secretHash } = issueApiKeySecret();
  const createdAt = deps.clock();
  const { userId } = caller.actor;
  await deps.store.transact(insertKeyScript, {
    id,
    secretHash,
    start,
    userId,
    workspaceId,
    name,
    principal,
    expiresAt: null,
    createdAt,
  });
  return { id, secret, name, principal, workspaceId };
}

function defaultName(workspaceId: string | null): string {
  return workspaceId === null ? 'service-key' : 'service-cli';
}
