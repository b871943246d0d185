import { isPasswordLength } from '@stoa/core';
import { account as texts } from '../text/en/account.ts';

export type CredentialField = 'name' | 'email' | 'password';

interface TextProblem {
  readonly kind: 'text';
  readonly text: string;
  readonly field: CredentialField;
  /** The other entries stay; a wrong password is cleared. */
  readonly forgetsPassword?: true;
}

/** The error of a form, and the field that gets the focus. */
export type FormProblem = TextProblem | { readonly kind: 'wait'; readonly untilMs: number };

/** Checks a form before it is sent. Returns null when it is complete. */
export function missingField(
  values: { readonly name?: string; readonly email: string; readonly password: string },
  { isNew }: { readonly isNew: boolean },
): FormProblem | null {
  if (isNew && (values.name ?? '').trim() === '') return problem('name', texts.enterName);
  if (values.email.trim() === '') return problem('email', texts.enterEmail);
  if (isNew) return unfitPassword(values.password);
  return values.password === '' ? problem('password', texts.enterPassword) : null;
}

/** Why this is not a valid new password; null if it is valid. */
export function unfitPassword(password: string): FormProblem | null {
  if (password === '') return problem('password', texts.enterPassword);
  return isPasswordLength(password) ? null : problem('password', texts.passwordLength);
}

/** The field that a server message concerns, guessed from its words. */
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

/** Names the correct address of the page if it is known, else shows the server's message. */
export function wrongOriginProblem(appUrl: string | undefined, message: string): FormProblem {
  return problem('email', appUrl === undefined ? message : texts.wrongAddress(appUrl));
}
