import {
  accountKeyName,
  endOfDays,
  type Grant,
  invalidRequest,
  type KeyAccess,
  keyNameMaxCharacters,
  keysPerPersonMax,
  type Principal,
  parseVisibleLine,
  parseWorkspacePath,
  principalOf,
  revokedKeysPerPersonMax,
  WorkspaceError,
  workspaceKeyName,
} from '@stoa/core';
import {
  type AccessQuestion,
  type Caller,
  openWorkspace,
  requireAccessStatus,
  requireCredential,
} from '../access.ts';
import { type AuditedTransaction, defineAuditedScript } from '../auditing/audited-script.ts';
import type { KeyRow } from '../ports/keys.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { issueApiKeySecret } from './api-key-secret.ts';
import { requireSession } from './require-session.ts';

/** Limits of a narrow key; the contract validates all but the path. */
export interface KeyLimits {
  readonly access?: KeyAccess | undefined;
  readonly path?: string | undefined;
  readonly expiresInDays?: number | undefined;
}

export interface CreateKeyInput extends KeyLimits {
  readonly name?: string | undefined;
  /** Any value except `agent` makes a `human` key. */
  readonly actorType?: unknown;
  /** Limits the key to this workspace. */
  readonly workspaceId?: string | undefined;
}

/** The only response that contains the secret. */
export interface CreatedKey extends Pick<KeyRow, 'access' | 'path' | 'expiresInDays' | 'createdAt'> {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly principal: Principal;
  readonly workspaceId: string | null;
}

/**
 * Parses the limits. A path requires a workspace, and need not exist there yet.
 * @throws WorkspaceError `invalid_request`, `invalid_path`
 */
export function parseGrant({ access = 'write', path }: KeyLimits, workspaceId: string | null): Grant {
  if (path === undefined) return { access, path: '' };
  if (workspaceId === null) {
    throw invalidRequest('A path belongs to one workspace: send its workspaceId');
  }
  return { access, path: parseWorkspacePath(path) };
}

interface InsertKey extends Grant {
  /** The key's future owner, and the session that requests it. */
  readonly maker: AccessQuestion;
  readonly id: string;
  readonly secretHash: string;
  readonly start: string;
  readonly workspaceId: string | null;
  readonly name: string;
  readonly principal: Principal;
  readonly expiresAt: number | null;
  readonly expiresInDays: number | null;
}

/**
 * Checks session and membership again in the transaction: no key appears after its owner was removed or signed out.
 * Keys cannot create keys.
 */
export async function insertKey(
  tx: AuditedTransaction,
  action: 'key.make' | 'key.approve',
  { maker, ...key }: InsertKey,
): Promise<void> {
  const { userId, via } = maker.credential;
  if (key.workspaceId === null) await requireCredential(tx, maker, 'read');
  else await requireAccessStatus(tx, maker, key.workspaceId);
  if (via !== 'session') throw new WorkspaceError('key_management_needs_session');
  if ((await tx.keys.listOf(userId)).length >= keysPerPersonMax) throw new WorkspaceError('too_many_keys');
  await tx.write.forgetRevokedKeys(userId, revokedKeysPerPersonMax);
  await tx.write.insertKey({ ...key, userId, createdAt: maker.now });
  const { workspaceId, access, path, expiresInDays } = key;
  tx.noteAudit({
    action,
    at: maker.now,
    workspaceId,
    personId: userId,
    targetId: key.id,
    targetName: key.name,
    ...(workspaceId === null || path === ''
      ? {}
      : { path: { path, ownerId: (await tx.nodes.decidingPrivacy(workspaceId, path))?.ownerId ?? null } }),
    details: { access, principal: key.principal, expiresInDays },
  });
}

export const insertKeyScript = defineAuditedScript<InsertKey, void>('keys.insert', (tx, command) =>
  insertKey(tx, 'key.make', command),
);

/**
 * Creates an API key for the caller's own account (interface: access, Key management).
 * @throws WorkspaceError `key_management_needs_session`, `invalid_request`, `workspace_not_found`, `not_a_member`,
 * `too_many_keys`, `invalid_path`
 */
export async function createKey(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  caller: Caller,
  input: CreateKeyInput,
): Promise<CreatedKey> {
  requireSession(caller);
  const workspaceId = input.workspaceId ?? null;
  if (workspaceId !== null) await openWorkspace(deps, caller, workspaceId);
  const grant = parseGrant(input, workspaceId);
  const name = parseVisibleLine(
    'name',
    input.name ?? (workspaceId === null ? accountKeyName : workspaceKeyName),
    keyNameMaxCharacters,
  );
  const principal = principalOf(input.actorType);
  const id = deps.ids('key');
  const { secret, start, secretHash } = issueApiKeySecret();
  const now = deps.clock();
  const expiresInDays = input.expiresInDays ?? null;
  const expiresAt = expiresInDays === null ? null : endOfDays(now, expiresInDays);
  await deps.store.transact(insertKeyScript, {
    maker: { credential: caller.credential, now },
    id,
    secretHash,
    start,
    workspaceId,
    name,
    principal,
    ...grant,
    expiresAt,
    expiresInDays,
  });
  return { id, secret, name, principal, workspaceId, ...grant, expiresInDays, createdAt: now };
}
