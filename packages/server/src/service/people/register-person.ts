import { isInviteOpen, WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { mayRegister, type SignupMode } from './may-register.ts';
import type { NewPerson } from './parse-new-person.ts';

/**
 * Origin of a registration. A visitor may bring the hash of an invite's token: an open invite permits registration
 * where sign-up is by invite. Registering takes no use of it; accepting does.
 */
export type Registrar =
  | { readonly kind: 'operator' }
  | { readonly kind: 'visitor'; readonly signup: SignupMode; readonly inviteTokenHash: string | null };

interface RegisterPerson {
  readonly userId: string;
  readonly accountRowId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly registrar: Registrar;
  readonly createdAt: number;
}

/**
 * Decides inside the transaction: of two visitors who both find no account, one becomes the first. User and password
 * are written together, so that a crash cannot leave a first account without a way to sign in.
 */
export const registerPersonScript = defineAuditedScript<RegisterPerson, void>(
  'people.register',
  async (tx, command) => {
    // Every registration updates this row, which serialises them on a database with many writers.
    await tx.write.countAttempt('registration', 0, Number.MAX_SAFE_INTEGER);
    await rejectRegistration(tx, command.registrar, command.email, command.createdAt);
    await tx.write.insertUser({
      id: command.userId,
      email: command.email,
      name: command.name,
      accountRowId: command.accountRowId,
      passwordHash: command.passwordHash,
      createdAt: command.createdAt,
    });
    tx.noteAudit({
      action: 'person.make',
      at: command.createdAt,
      personId: command.userId,
      ...(command.registrar.kind === 'visitor' ? { byUserId: command.userId } : {}),
      details: { via: 'password' },
    });
  },
);

/**
 * Checks whether a registration is allowed: once before the password is hashed, and again in the transaction.
 * @throws WorkspaceError `registration_closed`, `email_taken`
 */
export async function rejectRegistration(
  { users, invites }: Pick<Reader, 'users' | 'invites'>,
  registrar: Registrar,
  email: string,
  now: number,
): Promise<void> {
  if (registrar.kind === 'visitor') {
    const { signup, inviteTokenHash } = registrar;
    const invite = inviteTokenHash === null ? null : await invites.findByHash(inviteTokenHash);
    const invited = invite !== null && isInviteOpen(invite, now);
    // Only this mode depends on the count, which costs a scan.
    const accounts = signup === 'first' ? await users.count() : 0;
    if (!mayRegister(signup, { accounts, invited })) throw new WorkspaceError('registration_closed');
  }
  if ((await users.findByEmail(email)) !== null) throw new WorkspaceError('email_taken');
}

/**
 * Creates an account that signs in with e-mail and password.
 * @returns its id.
 * @throws WorkspaceError `registration_closed`, `email_taken`
 */
export async function registerPerson(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  registrar: Registrar,
  person: NewPerson,
  hashPassword: (password: string) => Promise<string>,
): Promise<string> {
  await rejectRegistration(deps.store.reader, registrar, person.email, deps.clock());
  const userId = deps.ids('user');
  await deps.store.transact(registerPersonScript, {
    userId,
    accountRowId: deps.ids('account'),
    email: person.email,
    name: person.name,
    passwordHash: await hashPassword(person.password),
    registrar,
    createdAt: deps.clock(),
  });
  return userId;
}
