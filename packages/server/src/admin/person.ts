import { WorkspaceError } from '@stoa/core';
import { findPerson } from '../service/people/find-person.ts';
import { passwordMaxCharacters } from '../service/people/parse-new-person.ts';
import type { UserRow } from '../service/ports/users.ts';
import { type AdminDeps, type CommandInput, RefusedCommand } from './command.ts';

/** @throws RefusedCommand when nobody has that id or e-mail address. */
export async function requirePerson({ store }: AdminDeps['service'], given: string): Promise<UserRow> {
  const person = await findPerson(store.reader.users, given);
  if (person !== null) return person;
  throw new RefusedCommand(
    `no account ${given}; \`npm run admin -- user list\` shows their ids and e-mail addresses`,
  );
}

/** A person as operator commands show them. */
export function describePerson({ id, email, name, createdAt, disabledAt }: UserRow) {
  return {
    id,
    email,
    name,
    createdAt: new Date(createdAt).toISOString(),
    disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  };
}

/** How sentences name a person: `Ada (user_1)`. */
export function nameOf({ id, name }: Pick<UserRow, 'id' | 'name'>): string {
  return `${name} (${id})`;
}

/** What cannot be undone is done only when the operator says so. @throws RefusedCommand */
export function requireYes({ options }: Pick<CommandInput, 'options'>, what: string): void {
  if (options.yes === true) return;
  throw new RefusedCommand(`${what} This cannot be undone: give the command again with --yes to do it.`);
}

export const yesOption = {
  yes: { type: 'boolean', required: false, says: 'do it: it cannot be undone' },
} as const;

export const passwordOption = {
  'password-stdin': { type: 'boolean', required: false, says: 'read the password from standard input' },
} as const;

export async function readPassword(input: Pick<CommandInput, 'readInput'>): Promise<string> {
  // One line end is the shell's, not the password's.
  return (await input.readInput(passwordMaxCharacters + 2)).replace(/\r?\n$/, '');
}

/** The words of a refusal whose code alone would not say what to do. */
export function refusalWithAdvice(error: unknown, advice: Readonly<Record<string, string>>): unknown {
  const text = error instanceof WorkspaceError ? advice[error.code] : undefined;
  return text === undefined ? error : new RefusedCommand(text);
}
