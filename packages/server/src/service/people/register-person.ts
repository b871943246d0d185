import { WorkspaceError } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { mayRegister, type SignupMode } from './may-register.ts';
import type { NewPerson } from './parse-new-person.ts';

/** On whose word an account is made. `invited` is the place where a valid invite lets a visitor in. */
export type Registrar =
  | { readonly kind: 'operator' }
  | { readonly kind: 'visitor'; readonly signup: SignupMode; readonly invited: boolean };

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
 * Decides inside the transaction: of two visitors who both find no account, one becomes the first. Person and password
 * are written together, so that a crash cannot leave a first account that nobody can sign in to.
 */
export const registerPersonScript = defineScript<RegisterPerson, void>(
  'people.register',
  async (tx, command) => {
    // One row that every registration updates: on a database with many writers it makes them take turns.
    await tx.write.countAttempt('registration', 0, Number.MAX_SAFE_INTEGER);
    await refuseRegistration(tx, command.registrar, command.email);
    await tx.write.insertUser({
      id: command.userId,
      email: command.email,
      name: command.name,
      accountRowId: command.accountRowId,
      passwordHash: command.passwordHash,
      createdAt: command.createdAt,
    });
  },
);

/**
 * The refusals of a registration: asked once before the password is hashed, and again in its transaction.
 * @throws WorkspaceError `registration_closed`, `email_taken`
 */
export async function refuseRegistration(
  { users }: Pick<ServiceDeps['store']['reader'], 'users'>,
  registrar: Registrar,
  email: string,
): Promise<void> {
  if (registrar.kind === 'visitor') {
    const { signup, invited } = registrar;
    // Only this mode depends on the count, which costs a scan.
    const accounts = signup === 'first' ? await users.count() : 0;
    if (!mayRegister(signup, { accounts, invited })) throw new WorkspaceError('registration_closed');
  }
  if ((await users.findByEmail(email)) !== null) throw new WorkspaceError('email_taken');
}

/**
 * Makes an account that signs in with e-mail and password. @returns its id.
 * @throws WorkspaceError `registration_closed`, `email_taken`
 */
export async function registerPerson(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  registrar: Registrar,
  person: NewPerson,
  hashPassword: (password: string) => Promise<string>,
): Promise<string> {
  await refuseRegistration(deps.store.reader, registrar, person.email);
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
