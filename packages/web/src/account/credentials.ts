import { account as texts } from '../text/en/account.ts';

export type CredentialField = 'name' | 'email' | 'password';

interface TextProblem {
  readonly kind: 'text';
  readonly text: string;
  readonly field: CredentialField;
  /** What was typed stays, but not a password that was refused. */
  readonly forgetsPassword?: true;
}

/** What is wrong with a form, and the field to which the focus goes. */
export type FormProblem = TextProblem | { readonly kind: 'wait'; readonly untilMs: number };

export const passwordMinCharacters = 8;
export const passwordMaxCharacters = 128;

/** What can be said before the server is asked: an empty field, a password that cannot be one. Null when all is there. */
export function missingField(
  values: { readonly name?: string; readonly email: string; readonly password: string },
  { isNew }: { readonly isNew: boolean },
): FormProblem | null {
  if (isNew && (values.name ?? '').trim() === '') return problem('name', texts.enterName);
  if (values.email.trim() === '') return problem('email', texts.enterEmail);
  if (isNew) return unfitPassword(values.password);
  return values.password === '' ? problem('password', texts.enterPassword) : null;
}

/** Why this cannot be a new password; null when it can. */
export function unfitPassword(password: string): FormProblem | null {
  if (password === '') return problem('password', texts.enterPassword);
  const length = [...password].length;
  const fits = length >= passwordMinCharacters && length <= passwordMaxCharacters;
  return fits ? null : problem('password', texts.passwordLength);
}

/** The field that a message of the server is about, as far as its words tell. */
export function fieldOf(message: string): CredentialField {
  if (/^name\b/i.test(message)) return 'name';
  return /password/i.test(message) ? 'password' : 'email';
}

export function problem(field: CredentialField, text: string): TextProblem {
  return { kind: 'text', field, text };
}

export function waitProblem(retryAfterSeconds: number): FormProblem {
  return { kind: 'wait', untilMs: performance.now() + retryAfterSeconds * 1000 };
}

/** The address that the page should have is known from elsewhere; else the server's own words have to do. */
export function wrongOriginProblem(appUrl: string | undefined, message: string): FormProblem {
  return problem('email', appUrl === undefined ? message : texts.wrongAddress(appUrl));
}
