import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceCodeLifetimeSeconds } from '@stoa/core';
import { startProvider } from '../../packages/server/test/auth/support/start-provider.ts';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { recordOf, textAt } from '../support/answer.ts';
import { newDevice } from '../support/device-flow.ts';
import { operator } from '../support/operator.ts';
import { axeClean } from './support/axe-clean.ts';
import { useOwnApp } from './support/use-app.ts';

const clock = await adjustableClock();
after(() => clock[Symbol.asyncDispose]());
const provider = await startProvider();
after(() => provider[Symbol.asyncDispose]());
const app = await useOwnApp({
  STOA_SIGNUP: 'closed',
  STOA_SIGNIN_LIMIT: '2',
  STOA_OIDC_ISSUER: provider.settings.issuer,
  STOA_OIDC_CLIENT_ID: provider.settings.clientId,
  STOA_OIDC_CLIENT_SECRET: provider.settings.clientSecret,
  STOA_OIDC_NAME: 'Example staff',
  ...clock.variables,
});
provider.serve(app.url);

/** More tries than the service lets anybody have. */
const triesMax = 100;

test('where sign-up is closed the page says so, without a form', app.options, async (t) => {
  const page = await app.open(t);
  await page.goto('/signup');
  await page
    .getByRole('alert')
    .filter({ hasText: 'Sign-up is closed here: ask for an invitation' })
    .waitFor();
  assert.equal(await page.getByRole('form').count(), 0);
  await axeClean(page);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0);

  // Who cannot sign up has an account by an operator, and a new password too.
  await operator(app.service, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
  const made = await operator(app.service, 'user', 'reset-link', 'ada@example.com', '--json');
  const link = new URL(textAt(recordOf(JSON.parse(made)), 'url'));
  assert.equal(link.pathname, '/reset');
  await page.goto('/reset');
  await page.getByRole('alert').filter({ hasText: 'This link is incomplete.' }).waitFor();
  await page.goto('/signin');
  await page.goto(`/reset${link.hash}`);
  const form = page.getByRole('form', { name: 'Choose a new password' });
  const button = form.getByRole('button', { name: 'Set password' });
  await form.getByLabel('New password').fill('short');
  await button.click();
  await form.getByRole('alert').filter({ hasText: 'Use 8 to 128 characters.' }).waitFor();
  await axeClean(page);
  await form.getByLabel('New password').fill('another correct horse');
  await button.click();
  await page.getByRole('status').filter({ hasText: 'Your password is set' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();

  // A device whose code is past its time, and one code after the other until that is enough.
  const { userCode } = await newDevice(app.client);
  await clock.advance(deviceCodeLifetimeSeconds * 1000 + 1);
  await page.goto(`/signin?next=${encodeURIComponent(`/link?code=${userCode}`)}`);
  const signIn = page.getByRole('form', { name: 'Sign in' });
  await signIn.getByLabel('E-mail').fill('ada@example.com');
  await signIn.getByLabel('Password').fill('another correct horse');
  await page.keyboard.press('Enter');
  const device = page.getByRole('form', { name: 'Link a device' });
  const said = (text: string) => device.getByRole('alert').filter({ hasText: text });
  await device.getByRole('button', { name: 'Continue' }).click();
  await said('This code has expired. Start again on your device.').waitFor();
  await axeClean(page);
  // Somebody who tries one code after the other, by a program that has the session.
  const tryCode = () =>
    page.request.post('/api/device/lookup', { data: { userCode }, headers: { origin: app.url } });
  let tries = 0;
  for (; tries < triesMax && (await tryCode()).status() !== 429; tries += 1);
  assert.ok(tries < triesMax);
  await device.getByRole('button', { name: 'Continue' }).click();
  await said('Too many attempts. Try again in a few minutes.').waitFor();
});

test('an account is linked to the provider, and opened by it from then on', app.options, async (t) => {
  const page = await app.open(t, { allowed: { origins: [provider.settings.issuer] } });
  provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  await page.goto('/signin?next=%2Faccount');
  await page.getByRole('button', { name: 'Sign in with Example staff' }).click();
  await page.getByRole('alert').filter({ hasText: 'An account with your e-mail address exists' }).waitFor();
  await axeClean(page);
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill('ada@example.com');
  await form.getByLabel('Password').fill('another correct horse');
  await page.keyboard.press('Enter');
  const section = page.getByRole('region', { name: 'Sign in with Example staff' });
  await section.getByRole('button', { name: 'Link to Example staff' }).click();
  await section.getByText('You can sign in with your account at Example staff.').waitFor();
  await axeClean(page);
  await page.context().clearCookies();
  // Two have begun at the provider in this minute.
  await clock.advance(60_000);
  await page.goto('/signin?next=%2Faccount');
  await page.getByRole('button', { name: 'Sign in with Example staff' }).click();
  await section.waitFor();
  await page.getByRole('form', { name: 'Password' }).waitFor();
});

test(
  'a reason in the address that is not one of the known ones is never looked up further',
  app.options,
  async (t) => {
    const page = await app.open(t);
    for (const refused of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing']) {
      await page.goto(`/signin?refused=${refused}`);
      await page
        .getByRole('alert')
        .filter({ hasText: 'Signing in with Example staff failed. Try again.' })
        .waitFor();
    }
  },
);

test('an address that is not the configured one is said, with the one that is', app.options, async (t) => {
  const page = await app.open(t);
  // As from a page of plain http on another machine, whose browser sends no Sec-Fetch-Site.
  await page.route('**/api/auth/sign-in/email', async (route) => {
    const headers = { 'content-type': 'application/json', origin: 'http://files.lan:4700' };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  await page.goto('/signin');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill('ada@example.org');
  await form.getByLabel('Password').fill('correct horse');
  await page.keyboard.press('Enter');
  await form
    .getByRole('alert')
    .filter({ hasText: `This server is set up for ${app.url}. Open it there.` })
    .waitFor();
});

test('too many attempts are counted down until the next may be made', app.options, async (t) => {
  // Attempts are counted by the minute: all of this one is left, so that none ends between two of them.
  await clock.advance(60_000 - (Date.now() % 60_000));
  const page = await app.open(t);
  await page.goto('/signin');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill('ada@example.org');
  const alert = form.getByRole('alert');
  const password = form.getByLabel('Password');
  for (const attempt of ['first', 'second']) {
    await password.fill(`wrong horse, ${attempt}`);
    await page.keyboard.press('Enter');
    // What a refusal does last: until then the form takes no other attempt, and would empty the field under it.
    await form.locator('button[aria-busy="true"]').waitFor({ state: 'hidden' });
    await page.waitForFunction(
      (field) => field instanceof HTMLInputElement && field.value === '',
      await password.elementHandle(),
    );
    await alert.waitFor();
  }
  await password.fill('wrong horse, third');
  await page.keyboard.press('Enter');
  const counted = alert.filter({ hasText: /^Too many attempts\. Try again in \d+ seconds?\.$/ });
  await counted.waitFor();
  const first = (await counted.textContent()) ?? '';
  await counted.filter({ hasNotText: first }).waitFor();
});
