import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, textAt } from '../support/response.ts';
import { axeClean, contrastClean } from './support/axe-clean.ts';
import { focused } from './support/keyboard.ts';
import { screens, useApp } from './support/use-app.ts';

const app = await useApp();

async function workspaceOf(person: Awaited<ReturnType<typeof signUp>>, name: string): Promise<string> {
  const response = await person.session.send('POST', '/api/workspaces', { json: { name } });
  return textAt(jsonOf(response), 'id');
}

test('a page that needs a session leads to sign-in and back', app.options, async (t) => {
  const ada = await signUp(app.client);
  const page = await app.open(t);
  await page.goto('/account?x=1');
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('E-mail').fill(ada.email);
  await form.getByLabel('Password').fill(ada.password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/account');

  const other = await app.open(t);
  await other.goto('/signup');
  const signUpForm = other.getByRole('form', { name: 'Create your account' });
  await signUpForm.getByLabel('Name').fill('Ada');
  await signUpForm.getByLabel('E-mail').fill(ada.email);
  await signUpForm.getByLabel('Password').fill(ada.password);
  await signUpForm.getByRole('button', { name: 'Create account' }).click();
  await signUpForm
    .getByRole('alert')
    .filter({ hasText: 'An account with this e-mail address exists: sign in instead' })
    .waitFor();
  await focused(signUpForm.getByLabel('E-mail'));
});

test('the profile changes the name and the password and ends other sessions', app.options, async (t) => {
  const ada = await signUp(app.client);
  const elsewhere = await app.open(t);
  await elsewhere.goto('/signin?next=%2Faccount');
  await elsewhere.getByLabel('E-mail').fill(ada.email);
  await elsewhere.getByLabel('Password').fill(ada.password);
  await elsewhere.keyboard.press('Enter');
  await elsewhere.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();

  const page = await app.open(t, { as: ada });
  await page.goto('/account');
  const notices = page.getByRole('region', { name: 'Notifications' });
  const profile = page.getByRole('form', { name: 'Profile' });
  await profile.getByLabel('Name').fill('Ada King');
  await profile.getByRole('button', { name: 'Save' }).click();
  await notices.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();

  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');

  const sessions = page.getByRole('list', { name: 'Sessions' });
  const chrome = sessions.getByRole('listitem').filter({ hasText: 'Chrome' }).first();
  const here = sessions.getByRole('listitem', { name: /^Unknown browser, [A-Z][a-z]{2} \d/ });
  assert.equal(await here.getAttribute('aria-description'), 'This session');
  await chrome.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
  await notices.getByText('Chrome on Linux is signed out.').waitFor();
  await axeClean(page);

  const password = page.getByRole('form', { name: 'Password' });
  await password.getByLabel('Current password').fill('wrong horse');
  await password.getByLabel('New password').fill('another correct horse');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByRole('alert').filter({ hasText: 'That is not your current password.' }).waitFor();
  await password.getByLabel('Current password').fill(ada.password);
  await password.getByRole('button', { name: 'Change password' }).click();
  await notices.getByText('Password changed.').waitFor();

  const again = { email: ada.email, password: 'another correct horse' };
  const signedIn = await app.client.send('POST', '/api/auth/sign-in/email', { json: again });
  assert.equal(signedIn.status, 200);
  assert.equal(recordOf(jsonOf(signedIn).user).name, 'Ada King');
});

test('every theme can be chosen, applies before the first paint, and is legible', app.options, async (t) => {
  const ada = await signUp(app.client);
  const page = await app.open(t, { as: ada, allowed: { messages: [/net::ERR_FAILED/] } });
  await page.goto('/account');
  const theme = page.getByRole('form', { name: 'Preferences' }).getByLabel('Theme');
  for (const [name, value] of [
    ['Light', 'light'],
    ['Dark', 'dark'],
    ['Dracula', 'dracula'],
    ['Nord', 'nord'],
    ['Solarized Light', 'solarized-light'],
    ['Rosé Pine', 'rose-pine'],
    ['Stoa', 'service'],
  ] as const) {
    await theme.selectOption(name);
    await page.locator(`html[data-theme="${value}"]`).waitFor();
    await contrastClean(page);
    // The system's setting for more contrast applies in every theme.
    await page.emulateMedia({ contrast: 'more' });
    const [muted, text, border, strong] = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['text-muted', 'text', 'border', 'border-strong'].map((token) =>
        style.getPropertyValue(`--stoa-${token}`),
      );
    });
    assert.deepEqual([muted, border], [text, strong], value);
    await page.emulateMedia({ contrast: null });
  }
  // The document before any script of the app has run.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload().catch(() => null);
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'service');
});

test('after a session ends the user signs in again without losing the page', app.options, async (t) => {
  const ada = await signUp(app.client);
  const workspaceId = await workspaceOf(ada, 'Engines');
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspaceId}`);
  await page.getByRole('button', { name: 'Workspace Engines' }).waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset.witness = 'the same document';
  });
  const robot = await createKey(ada);
  await ada.session.send('POST', '/api/auth/sign-out', { json: {} });
  // The page may have sent all its first requests. A write by another member ends its long poll.
  const written = await robot.client.send('PUT', `/api/workspaces/${workspaceId}/files/a.md`, { body: 'x' });
  assert.equal(written.status, 201);
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.waitFor();
  await axeClean(page);
  await page.keyboard.press('Escape');
  const form = dialog.getByRole('form', { name: 'Sign in to continue' });
  assert.equal(await form.getByLabel('E-mail').inputValue(), ada.email);
  await focused(form.getByLabel('Password'));
  assert.equal(await form.getByRole('button', { name: 'Download my text' }).count(), 0);
  await form.getByLabel('Password').fill(ada.password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.locator('html').getAttribute('data-witness'), 'the same document');
  // The page receives new changes again.
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
});

test('signing out removes the recently opened files and folders from the device', app.options, async (t) => {
  const ada = await signUp(app.client);
  const workspaceId = await workspaceOf(ada, 'Engines');
  await ada.session.send('PUT', `/api/workspaces/${workspaceId}/files/secret/merger.md`, { body: '# M\n' });
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspaceId}/f/secret/merger.md`);
  await page.getByRole('treeitem', { name: 'merger.md' }).waitFor();
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes('secret/merger.md'));
  // An entry of a workspace that was opened earlier.
  await page.evaluate(() => localStorage.setItem('stoa.recent.ws_other', '["secret/other.md"]'));
  await page.evaluate(() => localStorage.setItem('stoa.navigation-width', '300'));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  assert.doesNotMatch(await kept(), /secret|recent|unfolded/);
  assert.match(await kept(), /navigation-width/);
});

test('missing and forbidden addresses show the same message', app.options, async (t) => {
  const [ada, grace] = [await signUp(app.client), await signUp(app.client, 'Grace')];
  const workspaceId = await workspaceOf(ada, 'Engines');
  const page = await app.open(t, { as: grace, allowed: { messages: [/status of 404/] } });
  for (const address of [`/w/${workspaceId}`, '/w/ws_nothing', '/nowhere']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByText('This page doesn’t exist, or you don’t have access.').waitFor();
    await page.getByRole('link', { name: 'Go home' }).waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    await axeClean(page);
  }
});

test('a phone has the same account pages without sideways scrolling', app.options, async (t) => {
  const ada = await signUp(app.client);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await createKey(ada, { name: 'Claude', actorType: 'agent' });
  for (const address of ['/account', '/account/keys', '/']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const width of [screens.phone.viewport.width, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, `${address} at ${width}`);
    }
    await axeClean(page);
  }
});

test(
  'unsaved texts are listed, kept for their user, and asked about before signing out',
  app.options,
  async (t) => {
    const ada = await signUp(app.client);
    const workspaceId = await workspaceOf(ada, 'Engines');
    await ada.session.send('PUT', `/api/workspaces/${workspaceId}/files/plan.md`, { body: '# Plan\n' });
    const page = await app.open(t, { as: ada, allowed: { messages: [/net::ERR_FAILED/] } });
    await page.route('**/files/plan.md*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await page.goto(`/w/${workspaceId}/f/plan.md?mode=edit`);
    const text = page.getByRole('textbox', { name: 'Text of plan.md' });
    await text.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('Kept here.');
    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Engines' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Engines' }).waitFor();
    const unsaved = page.getByRole('link', { name: '1 file not saved' });
    await unsaved.waitFor();
    await axeClean(page);

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = page.getByRole('alertdialog', { name: 'Sign out without saving?' });
    await question.waitFor();
    await axeClean(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });

    // A very old draft of a file that is gone, and a draft of another user of this device.
    const longAgo = Date.now() - 100 * 24 * 3_600_000;
    await keepDraft(page, ada.id, 'gone.md', longAgo);
    await keepDraft(page, 'another', 'theirs.md', longAgo);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    const kept = page.getByRole('list', { name: 'Unsaved drafts on this device' });
    const plan = kept.getByRole('listitem', { name: 'plan.md' });
    const download = page.waitForEvent('download');
    await plan.getByRole('button', { name: 'Download' }).click();
    assert.equal((await download).suggestedFilename(), 'plan.md');
    await axeClean(page);
    await plan.getByRole('button', { name: 'Delete' }).click();
    const sure = page.getByRole('alertdialog', { name: 'Delete the draft of plan.md?' });
    await sure.getByRole('button', { name: 'Delete' }).click();
    await plan.waitFor({ state: 'detached' });
    const old = kept.getByRole('listitem', { name: 'gone.md' });
    assert.equal(await kept.getByRole('listitem').count(), 1, 'the page shows a draft of another user');
    const oldDownload = page.waitForEvent('download');
    await old.getByRole('button', { name: 'Download' }).click();
    assert.equal((await oldDownload).suggestedFilename(), 'gone.md');
    await old.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await kept.waitFor({ state: 'detached' });
    assert.deepEqual(await keptPaths(page), ['theirs.md']);
  },
);

/** Stores a draft of a user on this device. */
async function keepDraft(page: Page, userId: string, path: string, savedAt: number): Promise<void> {
  await page.evaluate(
    async ({ userId, path, savedAt }) =>
      await new Promise<void>((resolve) => {
        const opening = indexedDB.open('stoa-drafts');
        opening.onsuccess = () => {
          const drafts = opening.result.transaction('drafts', 'readwrite').objectStore('drafts');
          const draft = { text: 'Old.', baseVersion: 1, baseHash: '', contentType: 'text/markdown', savedAt };
          drafts.put({ ...draft, sentHash: null, copy: null }, [userId, 'ws_gone', path, 'editor']);
          drafts.transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    { userId, path, savedAt },
  );
}

/** Reads the paths of all drafts on this device, of any user. */
async function keptPaths(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    async () =>
      await new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('stoa-drafts');
        opening.onsuccess = () => {
          const keys = opening.result.transaction('drafts').objectStore('drafts').getAllKeys();
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result.map((key) => String((key as string[])[2])));
          };
        };
      }),
  );
}
