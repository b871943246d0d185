import {
  type Actor,
  fullGrant,
  type Grant,
  type MemberRole,
  type Need,
  rejectBeyond,
  type Viewer,
  WorkspaceError,
} from '@stoa/core';
import type { KeyRow } from './ports/keys.ts';
import type { Existing } from './ports/members.ts';
import type { MetadataStore } from './ports/metadata-store.ts';
import type { Reader } from './ports/reader.ts';
import type { WorkspaceRow } from './ports/workspaces.ts';

/** The credential of a caller. It may end during the request, so changes check it again. */
export interface CallerCredential {
  readonly via: 'session' | 'key';
  /** Id of the session or of the key, not a secret. */
  readonly credentialId: string;
  readonly userId: string;
}

/** An authenticated caller: the actor, its credential, and the scope of the credential. */
export interface Caller {
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** The one workspace of a scoped key; null: all of the user's workspaces. */
  readonly scopedTo: string | null;
  /** Limits the credential within the user's own rights. */
  readonly grant: Grant;
}

/**
 * A caller who may act in this workspace: the only thing that a file use case accepts. `workspace` is a snapshot from
 * the start of the request; decisions read it again inside their transaction.
 */
export interface WorkspaceAccess {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
  readonly actor: Actor;
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
  /** Set when a change depends on earlier counts: it is rejected when the feed has advanced since. */
  readonly onlyAtSeq?: number;
}

/**
 * @param need the right that the request needs; a change checks it again in its transaction.
 * @throws WorkspaceError `workspace_not_found`, then `key_not_scoped`, then `not_a_member`, then those of
 * `rejectBeyond` (interface: access, Access failures).
 */
export async function openWorkspace(
  deps: { readonly store: MetadataStore },
  caller: Caller,
  workspaceId: string,
  need: Need = 'read',
): Promise<WorkspaceAccess> {
  const found = await deps.store.reader.workspaces.findWithRole(workspaceId, caller.actor.userId);
  if (found === null) throw new WorkspaceError('workspace_not_found');
  if (caller.scopedTo !== null && caller.scopedTo !== workspaceId) throw new WorkspaceError('key_not_scoped');
  if (found.role === null) throw new WorkspaceError('not_a_member');
  rejectBeyond(caller.grant, need);
  const { actor, credential } = caller;
  return { workspace: found.workspace, role: found.role, actor, viewer: viewerOf(caller), credential };
}

export function viewerOf({ actor, grant }: Pick<Caller, 'actor' | 'grant'>): Viewer {
  return { userId: actor.userId, within: grant.path };
}

type KeyState = Pick<KeyRow, 'deletedAt' | 'disabled' | 'expiresAt'>;

/**
 * Rejects an invalid key: one check for the start of a request and for the transaction of its change.
 * @param key null for an unknown key.
 * @throws WorkspaceError `invalid_api_key` with the `reason`.
 */
export function rejectEndedKey(key: KeyState | null, now: number): void {
  const reason = endOfKey(key, now);
  if (reason !== null) throw new WorkspaceError('invalid_api_key', { reason });
}

function endOfKey(key: KeyState | null, now: number): string | null {
  if (key === null) return 'INVALID_API_KEY';
  if (key.deletedAt !== null) return 'KEY_NOT_FOUND';
  if (key.disabled) return 'KEY_DISABLED';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'KEY_EXPIRED';
  return null;
}

/** A caller's credential, and the time at which it must be valid. */
export interface AccessQuestion {
  readonly credential: CallerCredential;
  readonly now: number;
}

/** Reads the current access status of a caller. With a workspace id, it includes the role in that workspace. */
export function readAccessStatus(
  { members }: Pick<Reader, 'members'>,
  { via, credentialId, userId }: CallerCredential,
  workspaceId: string | null,
): Promise<Existing> {
  return members.standing({
    userId,
    workspaceId,
    keyId: via === 'key' ? credentialId : null,
    sessionId: via === 'session' ? credentialId : null,
  });
}

type CredentialState = Pick<Existing, 'key' | 'sessionExpiresAt'>;

/**
 * Rejects a credential that ended after it was presented: a revoked key, a session that signed out.
 * @throws WorkspaceError `invalid_api_key` with the `reason`, `unauthorized`
 */
export function rejectEnded(existing: CredentialState, question: AccessQuestion): void {
  const error = endOf(existing, question);
  if (error !== null) throw error;
}

function endOf(
  { key, sessionExpiresAt }: CredentialState,
  { credential, now }: AccessQuestion,
): WorkspaceError | null {
  switch (credential.via) {
    case 'key': {
      const reason = endOfKey(key, now);
      return reason === null ? null : new WorkspaceError('invalid_api_key', { reason });
    }
    case 'session':
      return sessionExpiresAt === null || sessionExpiresAt <= now ? new WorkspaceError('unauthorized') : null;
  }
}

/** Current grant of a credential. A session has all of its user's rights. */
export function grantOf({ key }: Pick<Existing, 'key'>): Grant {
  return key === null ? fullGrant : { access: key.access, path: key.path };
}

/**
 * Returns the current grant of a credential in a workspace; null when its user is no longer a member or the credential
 * is no longer valid.
 */
export async function findGrant(
  reader: Pick<Reader, 'members'>,
  question: AccessQuestion,
  workspaceId: string,
): Promise<Grant | null> {
  const existing = await readAccessStatus(reader, question.credential, workspaceId);
  return existing.role !== null && endOf(existing, question) === null ? grantOf(existing) : null;
}

/** @throws WorkspaceError `invalid_api_key`, `unauthorized`, and those of `rejectBeyond` */
export async function requireCredential(
  reader: Pick<Reader, 'members'>,
  question: AccessQuestion,
  need: Need,
): Promise<void> {
  const existing = await readAccessStatus(reader, question.credential, null);
  rejectEnded(existing, question);
  rejectBeyond(grantOf(existing), need);
}

/**
 * Repeats the checks from the start of the request: the credential is still valid, and its user is still a member.
 * @returns the user's current role.
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member`
 */
export async function requireAccessStatus(
  reader: Pick<Reader, 'members'>,
  question: AccessQuestion,
  workspaceId: string,
): Promise<MemberRole> {
  const existing = await readAccessStatus(reader, question.credential, workspaceId);
  rejectEnded(existing, question);
  if (existing.role === null) throw new WorkspaceError('not_a_member');
  return existing.role;
}
