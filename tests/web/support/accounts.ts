import type { Page } from 'playwright-core';

/** The fields of the forms to sign up and to sign in. */
export interface Account {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Creates an account on the page, as its first visitor does. `next` is the address that the user wanted to open. */
export async function signUpOnPage(
  page: Page,
  { name, email, password }: Account,
  next?: string,
): Promise<void> {
  await page.goto(`/signup${nextOf(next)}`);
  const form = page.getByRole('form', { name: 'Create your account' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Create account' }).click();
  await form.waitFor({ state: 'detached' });
}

export async function signInOnPage(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
  next?: string,
): Promise<void> {
  await page.goto(`/signin${nextOf(next)}`);
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await form.waitFor({ state: 'detached' });
}

function nextOf(next: string | undefined): string {
  return next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
}
