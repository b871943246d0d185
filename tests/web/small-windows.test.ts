import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
/** A phone in landscape orientation. */
const viewport = { width: 740, height: 320 };

/** Opens a dialog that is longer than the window and returns the position of its last button. */
async function lastButton(page: Page, opener: string, title: string) {
  await page.getByRole('button', { name: opener, exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: title });
  const button = dialog.getByRole('button').last();
  await button.waitFor();
  return { dialog, button };
}

test('the buttons of a dialog stay visible when it is longer than the window', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('plan.md', 'The plan.\n'), 201);
  const page = await app.open(t, { as: ada, options: { viewport } });
  for (const [address, opener, title] of [
    [`/w/${workspace.id}/f/plan.md`, 'Share', 'Share plan.md'],
    ['/account/keys', 'Create key', 'Create key'],
    [`/w/${workspace.id}/settings/members`, 'Create invite link', 'Create invite link'],
  ] as const) {
    await page.goto(address);
    const { dialog, button } = await lastButton(page, opener, title);
    const [height, shown] = await dialog.evaluate((each) => [each.scrollHeight, each.clientHeight]);
    assert.ok(Number(height) > Number(shown), `${title} is not longer than the window`);
    for (const scrollTop of [0, Number(height)]) {
      await dialog.evaluate((each, top) => each.scrollTo({ top, behavior: 'instant' }), scrollTop);
      const box = await button.boundingBox();
      const name = await button.textContent();
      assert.ok(
        box !== null && box.y >= 0 && box.y + box.height <= viewport.height,
        `${name} is outside the screen`,
      );
      // No part of the dialog covers it.
      await button.click({ trial: true });
    }
    await axeClean(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
});

test('only the list of results scrolls in a low window', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  const names = Array.from({ length: 12 }, (_, i) => `plan ${i + 1}.md`);
  for (const name of names) assertStatus(await workspace.put(name, 'The plan.\n'), 201);
  const page = await app.open(t, { as: ada, options: { viewport } });
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    `stoa.recent.${workspace.id}`,
    JSON.stringify(names),
  ] as const);
  await page.goto(`/w/${workspace.id}`);
  await page.getByRole('row', { name: 'plan 1.md', exact: true }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  const dialog = page.getByRole('dialog', { name: 'Find' });
  await dialog.getByRole('option', { name: 'plan 12.md' }).waitFor();
  await dialog.getByText('Type > for commands').click({ trial: true });
  const fits = () => dialog.evaluate((each) => each.scrollHeight === each.clientHeight);
  assert.ok(await fits(), 'recent files');
  await dialog.getByRole('combobox').fill('plan');
  await dialog.getByRole('option', { name: 'plan 12.md, line 1: The plan.' }).waitFor();
  await dialog.getByRole('link', { name: 'All results' }).click({ trial: true });
  assert.ok(await fits(), 'names and lines');
});

test('notifications on a phone cover no button of a dialog', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('plan.md', 'The plan.\n'), 201);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.goto(`/w/${workspace.id}/f/plan.md`);
  const { dialog, button } = await lastButton(page, 'Share', 'Share plan.md');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('listitem', { name: 'Member link' }).waitFor();
  const [said, closes] = await Promise.all(
    [page.getByRole('region', { name: 'Notifications', includeHidden: true }), button].map((each) =>
      each.evaluate((element) => element.getBoundingClientRect().toJSON()),
    ),
  );
  assert.ok(said.bottom <= closes.top, `notice ends at ${said.bottom}, button begins at ${closes.top}`);
});

test('the name of an empty folder is centred in its row on a phone', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('empty/.keep', '\n'), 201);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.goto(`/w/${workspace.id}`);
  const { off, reaches, hit } = await page.getByRole('row', { name: 'empty' }).evaluate((row) => {
    const link = row.querySelector('a') ?? row;
    const [edges, name] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    return {
      off: name.top + name.height / 2 - (edges.top + edges.height / 2),
      reaches: Math.max(edges.top - name.top, name.bottom - edges.bottom),
      hit: document.elementFromPoint(name.left + 4, edges.bottom - 4)?.closest('a')?.textContent,
    };
  });
  assert.ok(Math.abs(off) <= 1, `the name is ${off} px off the middle`);
  assert.ok(reaches <= 1, `the name reaches ${reaches} px into another row`);
  assert.equal(hit, 'empty', 'a tap at the lower edge of the row misses the name');
});

test('the connection status on a phone covers no heading', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('notes/plan.md', 'The plan.\n'), 201);
  const page = await app.open(t, { as: ada, screen: 'phone', allowed: { messages: [/./] } });
  for (const address of ['d/notes', 'f/notes/plan.md']) {
    await page.goto(`/w/${workspace.id}/${address}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    await page.context().setOffline(true);
    const said = page.getByRole('status', { name: 'Connection' });
    await said.getByText('Offline').waitFor();
    const [ends, begins] = await Promise.all([
      said.evaluate((element) => element.getBoundingClientRect().bottom),
      heading.evaluate((element) => element.getBoundingClientRect().top),
    ]);
    assert.ok(ends <= begins, `${address}: the status ends at ${ends}, the heading begins at ${begins}`);
    await page.context().setOffline(false);
  }
});
