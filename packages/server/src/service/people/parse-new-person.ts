import {
  emailMaxCharacters,
  invalidRequest,
  isPasswordLength,
  parseVisibleLine,
  passwordMaxCharacters,
  passwordMinCharacters,
  personNameMaxCharacters,
  type WorkspaceError,
} from '@stoa/core';

export interface NewPerson {
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

// The sign-in library's own rule: with any other address, a user could register but never sign in.
const emailShape =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** @throws WorkspaceError `invalid_request`, naming the field and the rule. */
export function parseNewPerson(fields: {
  readonly email: unknown;
  readonly name: unknown;
  readonly password: unknown;
}): NewPerson {
  const { email, name, password } = fields;
  const address = parseEmail(email);
  const accepted = parsePassword(password);
  return {
    email: address,
    name: parseVisibleLine('name', name, personNameMaxCharacters),
    password: accepted,
  };
}

/** Returns the address in lower case. @throws WorkspaceError `invalid_request`, naming the rule. */
export function parseEmail(email: unknown): string {
  if (typeof email !== 'string') throw rejected('email is required');
  if (email.length > emailMaxCharacters || !emailShape.test(email)) {
    throw rejected('email must be an address such as ada@example.com');
  }
  return email.toLowerCase();
}

/** @throws WorkspaceError `invalid_request`, naming the rule. */
export function parsePassword(password: unknown): string {
  if (typeof password !== 'string') throw rejected('password is required');
  if (!isPasswordLength(password)) {
    throw rejected(`password must have ${passwordMinCharacters} to ${passwordMaxCharacters} characters`);
  }
  return password;
}

function rejected(reason: string): WorkspaceError {
  return invalidRequest(reason);
}
