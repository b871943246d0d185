import {
  accountKeyName,
  keyNameMaxCharacters,
  keysPerPersonMax,
  type Principal,
  parseVisibleLine,
  principalOf,
  revokedKeysPerPersonMax,
  WorkspaceError,
  workspaceKeyName,
} from '@stoa/core';
import { requireCredential, requireStanding, type StandingQuestion } from '../access/standing.ts';
import { type Caller, openWorkspace } from '../access/workspace-access.ts';
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
  /** Whose key it will be, and the session in which they ask for it. */
  readonly maker: StandingQuestion;
  readonly id: string;
  readonly secretHash: string;
  readonly start: string;
  readonly workspaceId: string | null;
  readonly name: string;
  readonly principal: Principal;
  readonly expiresAt: number | null;
}

/** Asks again for session and membership, so that no key appears after its owner's removal or by a session that ended. */
export const insertKeyScript = defineScript<InsertKey, void>('keys.insert', async (tx, { maker, ...key }) => {
  const { userId } = maker.credential;
  if (key.workspaceId === null) await requireCredential(tx, maker);
  else await requireStanding(tx, maker, key.workspaceId);
  if ((await tx.keys.listOf(userId)).length >= keysPerPersonMax) throw new WorkspaceError('too_many_keys');
  await tx.write.forgetRevokedKeys(userId, revokedKeysPerPersonMax);
  await tx.write.insertKey({ ...key, userId, createdAt: maker.now });
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
  const name = parseVisibleLine(
    'name',
    input.name ?? (workspaceId === null ? accountKeyName : workspaceKeyName),
    keyNameMaxCharacters,
  );
  const principal = principalOf(input.actorType);
  const id = deps.ids('key');
  const { secret, start, secretHash } = issueApiKeySecret();
  await deps.store.transact(insertKeyScript, {
    maker: { credential: caller.credential, now: deps.clock() },
    id,
    secretHash,
    start,
    workspaceId,
    name,
    principal,
    expiresAt: null,
  });
  return { id, secret, name, principal, workspaceId };
}
