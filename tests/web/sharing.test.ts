import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { assertUnmoved } from './support/assert-unmoved.ts';
import { axeClean } from './support/axe-clean.ts';
import { goTo } from './support/go-to.ts';
import { holdRequests } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** Makes a link in the open dialog and returns its address. */
async function makeLink(page: Page, name: string, choose: () => Promise<void>): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `Share ${name}` });
  const items = dialog.getByRole('list', { name: `Links to ${name}` }).getByRole('listitem');
  const before = await items.count();
  await choose();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await items.nth(before).waitFor();
  await page.getByText('Link created.').first().waitFor();
  return await items.nth(before).getByRole('textbox', { name: 'Address' }).inputValue();
}

test('links can be created, opened by their audience, listed and revoked', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const ben = await signUp(app.client, 'Ben Brooks');
  const eve = await signUp(app.client, 'Eve Elsewhere');
  const home = await createWorkspace(ada);
  await joinWorkspace(home, ada, ben);
  assertStatus(await home.put('docs/plan.md', '# First state\n', { ifNoneMatch: '*' }), 201);
  assertStatus(await home.put('docs/page.html', '<h1>Page</h1>', { ifNoneMatch: '*' }), 201);
  assertStatus(await home.put('secret.md', '# Secret\n', { ifNoneMatch: '*' }), 201);

  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/docs/plan.md`);
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share plan.md' });
  const form = dialog.getByRole('form', { name: 'New link' });
  await form.getByRole('radio', { name: 'Members of Workspace' }).waitFor();
  const member = await makeLink(page, 'plan.md', () =>
    form.getByRole('radio', { name: 'Members of Workspace' }).check(),
  );
  const open = await makeLink(page, 'plan.md', async () => {
    await form.getByRole('radio', { name: 'Anyone with the link' }).check();
    await form.getByLabel('Password').fill('oyster');
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByRole('alert').filter({ hasText: 'Use at least 8 characters.' }).waitFor();
    await form.getByLabel('Password').fill('open sesame');
  });
  const pinned = await makeLink(page, 'plan.md', () =>
    form.getByRole('checkbox', { name: 'Freeze at this version' }).check(),
  );
  await axeClean(page);
  const links = dialog.getByRole('list', { name: 'Links to plan.md' });
  await links.getByRole('listitem', { name: 'Member link' }).first().waitFor();
  const withPassword = links.getByRole('listitem', { name: 'Public link' }).filter({ hasText: 'Password' });
  for (const said of ['Password', '0 views']) await withPassword.getByText(said, { exact: true }).waitFor();
  await links.getByText('Version 1', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const bens = await app.open(t, { as: ben, allowed: { messages: [/status of 40[134]/] } });
  await bens.goto(new URL(member).pathname);
  await bens.getByRole('heading', { name: 'First state' }).waitFor();
  const eves = await app.open(t, { as: eve, allowed: { messages: [/status of 40[134]/] } });
  const rejected = await eves.goto(new URL(member).pathname);
  assert.notEqual(rejected?.status(), 200);

  const stranger = await app.open(t, {
    options: { javaScriptEnabled: false },
    allowed: { messages: [/status of 40[134]/] },
  });
  await stranger.goto(new URL(open).pathname);
  await stranger.getByLabel('Password').fill('wrong');
  await stranger.getByRole('button').click();
  await stranger.getByRole('alert').waitFor();
  await stranger.getByLabel('Password').fill('open sesame');
  await stranger.getByRole('button').click();
  await stranger.getByRole('heading', { name: 'First state' }).waitFor();

  assertStatus(await home.put('docs/plan.md', '# Second state\n', { ifMatch: 1 }), 200);
  await bens.goto(new URL(member).pathname);
  await bens.getByRole('heading', { name: 'Second state' }).waitFor();
  const eitherWay = await app.open(t, { allowed: { messages: [/status of 40[134]/] } });
  await eitherWay.goto(new URL(pinned).pathname);
  await eitherWay.getByRole('heading', { name: 'First state' }).waitFor();
  await axeClean(eitherWay);

  await goTo(page, `/w/${home.id}/f/docs/page.html`);
  // The button of the previous page would share the previous item.
  await page.getByRole('heading', { level: 1, name: 'page.html' }).waitFor();
  const listed = await holdRequests(page, /\/shares\?path=/, () => true);
  const asked = listed.next();
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  const ofPage = page.getByRole('dialog', { name: 'Share page.html' });
  const scripts = ofPage.getByRole('checkbox', { name: 'Allow scripts' });
  await asked;
  await assertUnmoved(scripts, async () => {
    await listed.release();
    await ofPage.getByText('No links yet.').waitFor();
  });
  await makeLink(page, 'page.html', () => scripts.check());
  const item = ofPage.getByRole('list', { name: 'Links to page.html' }).getByRole('listitem').first();
  await item.getByRole('switch', { name: 'Allow scripts' }).uncheck();
  await item.getByText('Scripts', { exact: true }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  await goTo(page, `/w/${home.id}/d/docs`);
  await page.getByRole('heading', { level: 1, name: 'docs' }).waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  const ofFolder = page.getByRole('dialog', { name: 'Share docs' });
  assert.equal(await ofFolder.getByRole('checkbox', { name: 'Allow scripts' }).count(), 0);
  await makeLink(page, 'docs', async () => undefined);
  await page.keyboard.press('Escape');
  await page.getByRole('row').getByRole('link', { name: 'page.html' }).click();
  await page.getByRole('heading', { level: 1, name: 'page.html' }).waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  await ofPage.getByRole('list', { name: 'Links to folders above' }).getByRole('listitem').first().waitFor();
  await page.keyboard.press('Escape');

  const hidden = { path: 'secret.md', kind: 'file', private: true };
  assertStatus(await home.send('PUT', '/node-private', { json: hidden }), 200);
  await page.goto(`/w/${home.id}/f/secret.md`);
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  await page.getByText('A private item cannot be shared. Turn off “Private” first.').waitFor();
  await page.keyboard.press('Escape');

  await goTo(page, `/w/${home.id}/settings/links`);
  const table = page.getByRole('table', { name: 'Share links' });
  await table.getByRole('row', { name: 'docs/plan.md' }).nth(2).waitFor();
  // The creator's name is a text of its own, so that no line breaks after a comma.
  await table.getByText('Ada Lovelace', { exact: true }).first().waitFor();
  await table.getByRole('button', { name: 'Copy address' }).first().click();
  await page.getByRole('status').filter({ hasText: 'Address copied.' }).waitFor();
  await axeClean(page);
  for (let left = 3; left > 0; left -= 1) {
    await table
      .getByRole('row', { name: 'docs/plan.md' })
      .first()
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page
      .getByRole('alertdialog', { name: 'Revoke this link?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await table
      .getByRole('row', { name: 'docs/plan.md' })
      .nth(left - 1)
      .waitFor({ state: 'detached' });
  }
  await page.getByRole('status').filter({ hasText: 'Link revoked.' }).first().waitFor();
  assert.notEqual((await bens.goto(new URL(member).pathname))?.status(), 200);
  const shares = recordsAt(jsonOf(await home.query('shares')), 'shares');
  assert.deepEqual(shares.map(({ path }) => path).sort(), ['docs', 'docs/page.html']);
});
