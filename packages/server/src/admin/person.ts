import { passwordMaxCharacters, shownText, WorkspaceError } from '@stoa/core';
import { findPerson } from '../service/people/find-person.ts';
import type { MetadataStore } from '../service/ports/metadata-store.ts';
import type { UserRow } from '../service/ports/users.ts';
import { type AdminDeps, type CommandInput, RejectedCommand } from './command.ts';

/**
 * Finds the account with an id or an e-mail address. Addresses are not verified: anyone may have signed up with one.
 * So the operator sees which account it is, and confirms it if there is a terminal.
 * @throws RejectedCommand if there is no such account, or the operator says no
 */
export async function requirePerson(
  { store }: Pick<AdminDeps['service'], 'store'>,
  given: string,
  { ask, complain }: Pick<CommandInput, 'ask' | 'complain'>,
): Promise<UserRow> {
  const person = await findPerson(store.reader.users, given);
  if (person === null) {
    throw new RejectedCommand(
      `no account ${given}; \`npm run admin -- user list\` lists their ids and e-mail addresses`,
    );
  }
  if (person.id === given) return person;
  const account = `${await describeAccount(store, person)}. ${unverified}`;
  const isMeant = await ask(`${account} Use this account?`);
  if (isMeant === null) complain(account);
  if (isMeant === false) throw new RejectedCommand('Nothing was done. Name the account by its id.');
  return person;
}

export const unverified = 'E-mail addresses are not verified: anyone may have signed up with this one.';

/** Describes an account in one line: `user_1 "Ada" <ada@example.org>, made 2026-11-20 by sign-up`. */
export async function describeAccount(
  { reader }: Pick<MetadataStore, 'reader'>,
  { id, name, email, createdAt }: UserRow,
): Promise<string> {
  const about = { workspaceId: null, kind: 'person', personId: id, since: null, until: null } as const;
  const page = { order: 'oldest first', after: null, limit: 20 } as const;
  const made = (await reader.audit.page({ ...about, ...page })).find(
    ({ action, personId }) => action === 'person.make' && personId === id,
  );
  const by = made === undefined ? '' : made.actorId === id ? ' by sign-up' : ' by an operator';
  return `${id} "${shownText(name)}" <${shownText(email)}>, made ${new Date(createdAt).toISOString().slice(0, 10)}${by}`;
}

/** A user as operator commands show them. */
export function describePerson({ id, email, name, createdAt, disabledAt }: UserRow) {
  return {
    id,
    email,
    name,
    createdAt: new Date(createdAt).toISOString(),
    disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  };
}

/** A user in a message: `Ada (user_1)`. */
export function nameOf({ id, name }: Pick<UserRow, 'id' | 'name'>): string {
  return `${shownText(name)} (${id})`;
}

/** Requires `--yes` for something that cannot be undone. @throws RejectedCommand */
export function requireYes({ options }: Pick<CommandInput, 'options'>, what: string): void {
  if (options.yes === true) return;
  throw new RejectedCommand(`${what} This cannot be undone: run the command again with --yes to do it.`);
}

export const yesOption = {
  yes: { type: 'boolean', required: false, says: 'confirm: it cannot be undone' },
} as const;

export const passwordOption = {
  'password-stdin': { type: 'boolean', required: false, says: 'read the password from standard input' },
} as const;

export async function readPassword(input: Pick<CommandInput, 'readInput'>): Promise<string> {
  // One line end belongs to the shell, not to the password.
  return (await input.readInput(passwordMaxCharacters + 2)).replace(/\r?\n$/, '');
}

/** Replaces an error whose code alone does not say what to do. */
export function errorWithAdvice(error: unknown, advice: Readonly<Record<string, string>>): unknown {
  const text = error instanceof WorkspaceError ? advice[error.code] : undefined;
  return text === undefined ? error : new RejectedCommand(text);
}
