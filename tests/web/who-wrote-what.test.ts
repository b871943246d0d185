import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { atWork, edit, typeInLine } from './support/at-work.ts';
import { axeClean } from './support/axe-clean.ts';
import { holdRequests, isPut } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';
import { versionTime } from './support/version-time.ts';

const app = await useApp();

test('shows the author next to each part of the text and follows new versions', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const claude = home.as((await createKey(ada, { name: 'Claude', actorType: 'agent' })).client);
  const texts = ['# Plan\n\nOne.\n\nTwo.\n\n- a\n- b\n', '# Plan\n\nOne.\n\nTwo by an agent.\n\n- a\n- c\n'];
  assertStatus(await home.put('plan.md', texts[0] ?? '', { ifNoneMatch: '*' }), 201);
  assertStatus(await claude.put('plan.md', texts[1] ?? '', { ifMatch: 1 }), 200);
  assertStatus(await home.put('list.txt', 'one\n', { ifNoneMatch: '*' }), 201);
  assertStatus(await claude.put('list.txt', 'one\ntwo\n', { ifMatch: 1 }), 200);

  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.goto(`/w/${home.id}/f/plan.md`);
  const article = page.getByRole('article', { name: 'plan.md' });
  await article.getByText('One.').waitFor();
  const toggle = page.getByRole('menuitemcheckbox', { name: 'Who wrote what' });
  await page.getByRole('button', { name: 'Actions for plan.md' }).click();
  await toggle.click();

  const note = (name: string) => article.getByRole('note', { name, exact: true });
  await note('Line 1').getByText('Ada Lovelace').waitFor();
  await note('Line 5').getByText('Claude (agent)').waitFor();
  await note('Lines 7 to 8').getByText('Claude (agent) and 1 other').press('Enter');
  await note('Lines 7 to 8').getByText('Ada Lovelace').waitFor();
  assert.equal(await note('Line 3').count(), 0, 'the author of the previous line is named twice');
  await axeClean(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} px wide`);

  // The keyboard reaches it, and a new version updates it.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Find files, text and commands' }).fill('>who wrote');
  await page.getByRole('option', { name: 'Who wrote what' }).first().waitFor();
  await page.keyboard.press('Escape');
  const third = (texts[1] ?? '').replace('# Plan\n', '# Plan\n\nBetween, by an agent.\n');
  assertStatus(await claude.put('plan.md', third, { ifMatch: 2 }), 200);
  await note('Line 3').getByRole('link', { name: 'Version 3' }).waitFor();
  await note('Line 7').getByRole('link', { name: 'Version 2' }).waitFor();
  await axeClean(page);
  await note('Line 7').getByRole('link', { name: 'Version 2' }).press('Enter');
  await page
    .getByRole('region', { name: 'Earlier version' })
    .getByText(`Version from ${await versionTime(page, home, 'plan.md', 2)} (3 is current)`, { exact: true })
    .waitFor();
  assert.equal(await article.getByRole('note').count(), 0, 'an earlier version shows authors');

  await page.getByRole('treeitem', { name: 'list.txt' }).click();
  const listed = page.getByRole('region', { name: 'Who wrote what' });
  await listed.getByRole('listitem').filter({ hasText: 'Line 2' }).getByText('Claude (agent)').waitFor();
  await axeClean(page);
  await listed.getByRole('button', { name: 'Hide who wrote what' }).click();
  await listed.waitFor({ state: 'detached' });
});

test('remembers that it is shown, and is not offered while editing', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n\nOne.\n');
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  const puts = await holdRequests(page, '**/files/plan.md*', isPut);
  await typeInLine(page, 'One.', ' Mine.');
  const actions = page.getByRole('button', { name: 'Actions for plan.md' });
  const toggle = page.getByRole('menuitemcheckbox', { name: 'Who wrote what' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  assert.equal(await toggle.count(), 0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  const find = page.getByRole('combobox', { name: 'Find files, text and commands' });
  await find.fill('>');
  await page.getByRole('option', { name: 'History' }).first().waitFor();
  assert.equal(await page.getByRole('option', { name: 'Who wrote what' }).count(), 0);
  await page.keyboard.press('Escape');

  await page.getByRole('radio', { name: 'Read' }).check();
  await actions.click();
  await toggle.click();
  const article = page.getByRole('article', { name: 'plan.md' });
  const line = article.getByRole('note', { name: 'Line 3', exact: true });
  await line.getByText('You, not saved').waitFor();
  await puts.release();
  await line.getByText('Ada').waitFor();
  await page.reload();
  await line.getByText('Ada').waitFor();
  const section = page.getByRole('region', { name: 'Who wrote what' });
  await section.getByRole('button', { name: 'Hide who wrote what' }).click();
  await section.waitFor({ state: 'detached' });
  await page.reload();
  await article.getByText('One. Mine.').waitFor();
  assert.equal(await section.count(), 0);
});
