import { hash, randomBytes } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import { type AuditedTransaction, defineAuditedScript } from '../auditing/audited-script.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface NewPassword {
  readonly passwordHash: string;
  readonly accountRowId: string;
  readonly now: number;
}

/**
 * Replaces a user's password, or sets a first one. Ends the user's sessions and password links.
 * @returns the number of ended sessions.
 */
export async function setPassword(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  userId: string,
  passwordHash: string,
): Promise<number> {
  const command = { userId, passwordHash, accountRowId: deps.ids('account'), now: deps.clock() };
  return deps.store.transact(setPasswordScript, command);
}

export const setPasswordScript = defineAuditedScript<NewPassword & { readonly userId: string }, number>(
  'people.setPassword',
  async (tx, { userId, ...command }) => changePassword(tx, 'password.set', userId, command),
);

async function changePassword(
  tx: AuditedTransaction,
  action: 'password.set' | 'password.reset',
  userId: string,
  command: NewPassword,
): Promise<number> {
  const { passwordHash, accountRowId, now } = command;
  await tx.write.setPassword({ userId, passwordHash, accountRowId, changedAt: now });
  await tx.write.endPasswordResetsOf(userId);
  const sessions = await tx.write.endSessionsOf(userId);
  tx.noteAudit({ action, at: now, personId: userId, details: { sessions } });
  return sessions;
}

/** The token allows its holder to set the password once, until it expires. */
export interface PasswordReset {
  readonly token: string;
  readonly expiresAt: number;
}

/** Creates a password link in place of an earlier one. The password stays until the link is used. */
export async function issuePasswordReset(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  userId: string,
  lifetimeHours: number,
): Promise<PasswordReset> {
  const token = randomBytes(32).toString('base64url');
  const createdAt = deps.clock();
  const expiresAt = createdAt + lifetimeHours * 3_600_000;
  const row = { id: deps.ids('reset'), userId, tokenHash: hashResetToken(token), createdAt, expiresAt };
  await deps.store.transact(putPasswordResetScript, row);
  return { token, expiresAt };
}

export const putPasswordResetScript = defineAuditedScript<
  Parameters<Transaction['write']['putPasswordReset']>[0],
  void
>('people.putPasswordReset', async (tx, row) => {
  await tx.write.putPasswordReset(row);
  const details = { expiresAt: new Date(row.expiresAt).toISOString() };
  tx.noteAudit({ action: 'reset-link.make', at: row.createdAt, personId: row.userId, details });
});

/**
 * Sets a new password with a link. Looks the link up before the expensive hash, and consumes it in the transaction that
 * sets the password.
 * @throws WorkspaceError `reset_link_gone` when it was used, has expired or never existed: the same for all.
 */
export async function resetPassword(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  token: string,
  hashPassword: () => Promise<string>,
): Promise<void> {
  const tokenHash = hashResetToken(token);
  if ((await deps.store.reader.users.findPasswordReset(tokenHash, deps.clock())) === null) {
    throw new WorkspaceError('reset_link_gone');
  }
  const passwordHash = await hashPassword();
  const accountRowId = deps.ids('account');
  const command = { tokenHash, passwordHash, accountRowId, now: deps.clock() };
  await deps.store.transact(resetPasswordScript, command);
}

export const resetPasswordScript = defineAuditedScript<NewPassword & { readonly tokenHash: string }, void>(
  'people.resetPassword',
  async (tx, { tokenHash, ...command }) => {
    const found = await tx.write.takePasswordReset(tokenHash, command.now);
    if (found === null) throw new WorkspaceError('reset_link_gone');
    await changePassword(tx, 'password.reset', found.userId, command);
  },
);

function hashResetToken(token: string): string {
  return hash('sha256', token);
}
