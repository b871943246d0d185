import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type SignedUpPerson, signUp } from '../support/people.ts';
import {
  agentRewrites,
  atWork,
  copies,
  edit,
  editor,
  says,
  textOf,
  typeInLine,
  untilDraftHas,
} from './support/at-work.ts';
import { holdRequests, holdResponses, isPut } from './support/held-requests.ts';
import { chooseFromMenu } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

/** A text belongs to its user when the session ends, another user signs in, or access ends. */
const app = await useApp();
/** The console reports faults that a test causes on purpose. */
const allowed = { messages: [/./] };

test('W7: saves the text after sign-in when the session ended in mid-edit', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  const [feed, puts] = [
    await holdResponses(page, '**/changes?*', () => true),
    await holdResponses(page, '**/files/plan.md*', isPut),
  ];
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+End');
  // The page must learn of the ended session after the typing: the dialog would take the keys.
  feed.hold();
  puts.hold();
  await page.keyboard.type('Before. ');
  assertStatus(await ada.session.send('POST', '/api/auth/sign-out', { json: {} }), 200);
  await page.keyboard.type('After.');
  feed.release();
  puts.release();
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.getByRole('button', { name: 'Download my text' }).waitFor();
  await says(page, 'Signed out: kept on this device');
  await dialog.getByLabel('Password').fill(ada.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await says(page, 'Saved');
  assert.equal(await textOf(agent), '# Plan\nBefore. After.');
  assert.deepEqual(await copies(agent), []);
});

test(
  'W9: closes an open file that another member makes private, and offers the typed text',
  app.options,
  async (t) => {
    const { ada, workspace } = await atWork(app.client, '# Plan\n', 'notes/plan.md');
    const ben = await signUp(app.client, 'Ben');
    await joinWorkspace(workspace, ada, ben);
    const page = await app.open(t, { as: ben, allowed });
    await edit(page, workspace, 'notes/plan.md');
    await page.route('**/files/notes/plan.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
    await editor(page).press('ControlOrMeta+End');
    await page.keyboard.type('By Ben.');
    await untilDraftHas(page, 'By Ben.');
    const hide = { path: 'notes', kind: 'folder', private: true };
    assertStatus(await workspace.send('PUT', '/node-private', { json: hide }), 200);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    await page.getByText('This page doesn’t exist, or you don’t have access.').waitFor();
    await page.getByRole('status').filter({ hasText: 'plan.md is no longer available.' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my text' }).click();
    const kept = await download;
    assert.equal(kept.suggestedFilename(), 'plan.md');
    const chunks: Buffer[] = [];
    for await (const chunk of await kept.createReadStream()) chunks.push(chunk as Buffer);
    assert.equal(Buffer.concat(chunks).toString(), '# Plan\nBy Ben.');
    assert.equal(await textOf(workspace, 'notes/plan.md'), '# Plan\n');

    // Removal from the workspace does the same, also after a reload.
    assertStatus(await workspace.put('other.md', '# Other\n'), 201);
    await page.route('**/files/other.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
    await edit(page, workspace, 'other.md');
    await editor(page, 'other.md').press('ControlOrMeta+End');
    await page.keyboard.type('By Ben, too.');
    assertStatus(await ada.session.send('DELETE', `${workspace.root}/members/${ben.id}`), 204);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    for (const reloaded of [false, true]) {
      if (reloaded) await page.reload();
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download my text' }).click();
      assert.equal(await readFile(await (await coming).path(), 'utf8'), '# Other\nBy Ben, too.');
    }
  },
);

test('restores and saves a text after signing out without saving and in again', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  await edit(page, workspace);
  const put = '**/files/plan.md*';
  await page.route(put, (route) => (isPut(route) ? route.abort() : route.continue()));
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type('Not saved.');
  await untilDraftHas(page, 'Not saved.');
  await chooseFromMenu(page, page.getByRole('button', { name: 'Account' }), 'Sign out');
  const question = page.getByRole('alertdialog', { name: 'Sign out without saving?' });
  await question.getByRole('button', { name: 'Sign out' }).click();
  await page.unroute(put);
  await signInHere(page, ada);
  await editor(page).getByText('Not saved.').waitFor();
  await says(page, 'Saved');
  assert.equal(await textOf(agent), '# Plan\nNot saved.');
});

test('discards pending text when another user signs in over the page', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const ben = await signUp(app.client, 'Ben');
  await joinWorkspace(workspace, ada, ben);
  const page = await app.open(t, { as: ada, allowed });
  await edit(page, workspace);
  const puts = await holdRequests(page, '**/files/plan.md*', isPut);
  await typeInLine(page, 'Line 3 of the plan.', 'Ada: ', 'Home');
  await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
  await puts.release();
  const bar = page.getByRole('region', { name: 'Conflict' });
  await bar.getByText('Your text is kept on this device.').waitFor();
  assertStatus(await ada.session.send('POST', '/api/auth/sign-out', { json: {} }), 200);
  // A write by the agent ends the long poll. The next request is rejected.
  assertStatus(await agent.put('other.md', 'Other.\n'), 201);
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.getByLabel('E-mail').fill(ben.email);
  await dialog.getByLabel('Password').fill(ben.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await bar.waitFor({ state: 'detached' });
  await says(page, 'Saved');
  await editor(page).getByText('Agent: Line 3 of the plan.').waitFor();
  assert.equal(await editor(page).getByText('Ada: Agent').count(), 0);
  assert.deepEqual(await copies(agent), []);
});

test(
  'tabs of one browser share a session: sign-in and sign-out reach all of them',
  app.options,
  async (t) => {
    const [ada, ben] = [await signUp(app.client, 'Ada'), await signUp(app.client, 'Ben')];
    const page = await app.open(t, { as: ada, allowed });
    const other = await page.context().newPage();
    const nameOn = (each: Page) => each.getByRole('form', { name: 'Profile' }).getByLabel('Name');
    for (const each of [page, other]) {
      await each.goto('/account');
      await nameOn(each).waitFor();
    }
    const over = other.getByRole('dialog', { name: 'Sign in to continue' });
    for (const person of [ada, ben]) {
      await chooseFromMenu(page, page.getByRole('button', { name: 'Account' }), 'Sign out');
      await over.waitFor();
      await signInHere(page, person);
      await over.waitFor({ state: 'detached' });
      for (const each of [page, other]) {
        await nameOn(each).waitFor();
        assert.equal(await nameOn(each).inputValue(), person.name);
      }
    }
  },
);

async function signInHere(page: Page, { email, password }: SignedUpPerson): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in', exact: true });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
}
