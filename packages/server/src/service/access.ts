import {
  type Actor,
  fullGrant,
  type Grant,
  type MemberRole,
  type Need,
  refuseBeyond,
  type Viewer,
  WorkspaceError,
} from '@stoa/core';
import type { KeyRow } from './ports/keys.ts';
import type { Standing } from './ports/members.ts';
import type { MetadataStore } from './ports/metadata-store.ts';
import type { Reader } from './ports/reader.ts';
import type { WorkspaceRow } from './ports/workspaces.ts';

/** What a caller authenticated with. It may end while a request is under way, so changes ask for it again. */
export interface CallerCredential {
  readonly via: 'session' | 'key';
  /** Of the session or of the key: no secret. */
  readonly credentialId: string;
  readonly userId: string;
}

/** An authenticated caller: who acts, through what, and how far the credential reaches. */
export interface Caller {
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** The one workspace that a scoped key reaches; null reaches all of the person's workspaces. */
  readonly scopedTo: string | null;
  /** What it may do of what its person may. */
  readonly grant: Grant;
}

/**
 * A caller who may act in this workspace: the only thing that a file use case accepts. `workspace` is as it was when
 * the request began; what a decision rests on is read again inside its transaction.
 */
export interface WorkspaceAccess {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
  readonly actor: Actor;
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
}

/**
 * @param need what will be done there; a change asks again in its transaction.
 * @throws WorkspaceError `workspace_not_found`, then `key_not_scoped`, then `not_a_member`, then those of `refuseBeyond`
 * (interface: access, Access failures).
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
  refuseBeyond(caller.grant, need);
  const { actor, credential } = caller;
  return { workspace: found.workspace, role: found.role, actor, viewer: viewerOf(caller), credential };
}

export function viewerOf({ actor, grant }: Pick<Caller, 'actor' | 'grant'>): Viewer {
  return { userId: actor.userId, within: grant.path };
}

type KeyState = Pick<KeyRow, 'deletedAt' | 'disabled' | 'expiresAt'>;

/**
 * Whether a key is good now: one answer for the start of a request and for the moment of its change.
 * @param key null for one that nobody was given.
 * @throws WorkspaceError `invalid_api_key` with the `reason`.
 */
export function refuseEndedKey(key: KeyState | null, now: number): void {
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

/** What somebody authenticated with, and the moment at which it must hold. */
export interface StandingQuestion {
  readonly credential: CallerCredential;
  readonly now: number;
}

/** How the caller stands now. A workspace's id asks for the role in it as well. */
export function readStanding(
  { members }: Pick<Reader, 'members'>,
  { via, credentialId, userId }: CallerCredential,
  workspaceId: string | null,
): Promise<Standing> {
  return members.standing({
    userId,
    workspaceId,
    keyId: via === 'key' ? credentialId : null,
    sessionId: via === 'session' ? credentialId : null,
  });
}

type CredentialState = Pick<Standing, 'key' | 'sessionExpiresAt'>;

/**
 * Refuses a credential that ended after it was presented: a key that was revoked, a session that signed out.
 * @throws WorkspaceError `invalid_api_key` with the `reason`, `unauthorized`
 */
export function refuseEnded(standing: CredentialState, question: StandingQuestion): void {
  const refusal = endOf(standing, question);
  if (refusal !== null) throw refusal;
}

function endOf(
  { key, sessionExpiresAt }: CredentialState,
  { credential, now }: StandingQuestion,
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

/** How far a credential reaches now. A session reaches all that its person may. */
export function grantOf({ key }: Pick<Standing, 'key'>): Grant {
  return key === null ? fullGrant : { access: key.access, path: key.path };
}

/**
 * How far a credential reaches in a workspace that its person is still a member of; null when it would not be accepted any
 * more.
 */
export async function findGrant(
  reader: Pick<Reader, 'members'>,
  question: StandingQuestion,
  workspaceId: string,
): Promise<Grant | null> {
  const standing = await readStanding(reader, question.credential, workspaceId);
  return standing.role !== null && endOf(standing, question) === null ? grantOf(standing) : null;
}

/** @throws WorkspaceError `invalid_api_key`, `unauthorized`, and those of `refuseBeyond` */
export async function requireCredential(
  reader: Pick<Reader, 'members'>,
  question: StandingQuestion,
  need: Need,
): Promise<void> {
  const standing = await readStanding(reader, question.credential, null);
  refuseEnded(standing, question);
  refuseBeyond(grantOf(standing), need);
}

/**
 * Asks again what was asked when the request began: whether the credential still holds, and whether its person is still
 * a member. @returns their role now.
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member`
 */
export async function requireStanding(
  reader: Pick<Reader, 'members'>,
  question: StandingQuestion,
  workspaceId: string,
): Promise<MemberRole> {
  const standing = await readStanding(reader, question.credential, workspaceId);
  refuseEnded(standing, question);
  if (standing.role === null) throw new WorkspaceError('not_a_member');
  return standing.role;
}
