import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceCodeLifetimeSeconds } from '@stoa/core';
import { startProvider } from '../../packages/server/test/auth/support/start-provider.ts';
import { adjustableClock } from '../support/adjustable-clock.ts';
import { newDevice } from '../support/device-flow.ts';
import { operator } from '../support/operator.ts';
import { recordOf, textAt } from '../support/response.ts';
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

/** More attempts than the service allows. */
const triesMax = 100;

test('the page says that sign-up is closed and shows no form', app.options, async (t) => {
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

  // The operator creates the account and the link for its password.
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

  // A device code that has expired, and then attempts up to the limit.
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
  // A program that has the session tries codes in a row.
  const tryCode = () =>
    page.request.post('/api/device/lookup', { data: { userCode }, headers: { origin: app.url } });
  let tries = 0;
  for (; tries < triesMax && (await tryCode()).status() !== 429; tries += 1);
  assert.ok(tries < triesMax);
  await device.getByRole('button', { name: 'Continue' }).click();
  await said('Too many attempts. Try again in a few minutes.').waitFor();
});

test('the provider signs in to an account that was linked to it', app.options, async (t) => {
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
  // Two sign-ins at the provider have already begun in this minute.
  await clock.advance(60_000);
  await page.goto('/signin?next=%2Faccount');
  await page.getByRole('button', { name: 'Sign in with Example staff' }).click();
  await section.waitFor();
  await page.getByRole('form', { name: 'Password' }).waitFor();
});

test('ignores an unknown reason in the address', app.options, async (t) => {
  const page = await app.open(t);
  for (const rejected of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing']) {
    await page.goto(`/signin?refused=${rejected}`);
    await page
      .getByRole('alert')
      .filter({ hasText: 'Signing in with Example staff failed. Try again.' })
      .waitFor();
  }
});

test('the page names the configured address when it is opened at another one', app.options, async (t) => {
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

test('counts down to the next allowed attempt after too many attempts', app.options, async (t) => {
  // The service counts attempts by the minute. Starting at a full minute keeps all of them in one.
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
    // A rejection clears the field last. Until then the form accepts no other attempt.
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
