import { fullGrant, type Grant, type MemberRole } from '@stoa/core';
import type { Caller } from '../../src/service/access.ts';
import { insertKeyScript } from '../../src/service/keys/create-key.ts';
import { executeLibraryStatementScript } from '../../src/service/people/execute-library-statement.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';

const long = '2999-01-01T00:00:00.000Z';

/** A caller whose session is in the database. Creates the account if needed: scripts check both again. */
export async function signedIn(store: MetadataStore, userId: string, userName = userId): Promise<Caller> {
  const sessionId = `session_${userId}`;
  const run = (sql: string, parameters: readonly string[]) =>
    store.transact(executeLibraryStatementScript, { sql, parameters });
  await run(
    `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
      values (?, ?, ?, 0, ?, ?) on conflict do nothing`,
    [userId, userName, `${userId}@example.org`, long, long],
  );
  await run(
    `insert into "session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId")
      values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [sessionId, long, sessionId, long, long, userId],
  );
  const actor = { principal: 'human', userId, keyId: null, keyLabel: null, userName } as const;
  return {
    actor,
    credential: { via: 'session', credentialId: sessionId, userId },
    scopedTo: null,
    grant: fullGrant,
  };
}

export async function signOut(store: MetadataStore, { actor }: Caller): Promise<void> {
  const sql = 'delete from "session" where "userId" = ?';
  await store.transact(executeLibraryStatementScript, { sql, parameters: [actor.userId] });
}

/** Makes a user a member, unless they are one already. */
export async function addMember(
  store: MetadataStore,
  workspaceId: string,
  userId: string,
  role: MemberRole = 'member',
): Promise<void> {
  const sql = `insert into member (workspace_id, user_id, role, created_at, joined_seq)
    values (?, ?, ?, 1, 0) on conflict do nothing`;
  await store.transact(executeLibraryStatementScript, { sql, parameters: [workspaceId, userId, role] });
}

export async function removeMembership(
  store: MetadataStore,
  workspaceId: string,
  userId: string,
): Promise<void> {
  const sql = 'delete from member where workspace_id = ? and user_id = ?';
  await store.transact(executeLibraryStatementScript, { sql, parameters: [workspaceId, userId] });
}

/** The same person through an account-wide key, or through a narrow one. */
export async function withKey(
  store: MetadataStore,
  person: Caller,
  keyId: string,
  grant: Grant = fullGrant,
): Promise<Caller> {
  const key = { id: keyId, secretHash: keyId, start: 'stoa_', name: keyId, principal: 'agent' } as const;
  const maker = { credential: person.credential, now: 1 };
  await store.transact(insertKeyScript, {
    ...key,
    ...grant,
    maker,
    workspaceId: null,
    expiresAt: null,
    expiresInDays: null,
  });
  const actor = { ...person.actor, principal: key.principal, keyId, keyLabel: keyId };
  return {
    actor,
    credential: { via: 'key', credentialId: keyId, userId: actor.userId },
    scopedTo: null,
    grant,
  };
}
