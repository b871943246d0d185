import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { assertUnmoved } from './support/assert-unmoved.ts';
import { textOf } from './support/at-work.ts';
import { axeClean } from './support/axe-clean.ts';
import { holdRequests } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('previews and undoes the changes of an agent and keeps text by people', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const ben = await signUp(app.client, 'Ben Brooks');
  const home = await createWorkspace(ada);
  await joinWorkspace(home, ada, ben);
  const bens = home.as(ben.session);
  const claude = home.as((await createKey(ada, { name: 'Claude', actorType: 'agent' })).client);
  const plan = '# Plan\n\nOne.\n\nTwo.\n\nThree.\n';
  const both = 'The sentence.\n';
  assertStatus(await home.put('plan.md', plan, { ifNoneMatch: '*' }), 201);
  assertStatus(await home.put('notes/both.md', both, { ifNoneMatch: '*' }), 201);
  assertStatus(await claude.put('plan.md', plan.replace('One.', 'One, rewritten.'), { ifMatch: 1 }), 200);
  assertStatus(await claude.put('agents.md', 'By an agent.\n', { ifNoneMatch: '*' }), 201);
  assertStatus(await claude.put('notes/both.md', 'The sentence, rewritten.\n', { ifMatch: 1 }), 200);
  const now = plan.replace('One.', 'One, rewritten.').replace('Three.', 'Three, by Ben.');
  assertStatus(await bens.put('plan.md', now, { ifMatch: 2 }), 200);
  assertStatus(await bens.put('notes/both.md', 'The sentence, rewritten, by Ben.\n', { ifMatch: 2 }), 200);

  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/activity`);
  const changes = page.getByRole('list', { name: 'Changes' });
  const open = async (text: string, item: RegExp) => {
    const row = changes.getByRole('listitem').filter({ hasText: text }).last();
    await row.getByRole('button', { name: /^More for Claude \(agent\), / }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const dialog = page.getByRole('dialog', { name: 'Undo what Claude (agent) did' });
  const previewed = await holdRequests(page, /\/undo$/, () => true);
  const asked = previewed.next();
  await open('Claude (agent) saved plan.md', /^Undo what Claude \(agent\) did since /);
  await asked;
  await assertUnmoved(dialog.getByLabel('Since'), async () => {
    await previewed.release();
    await dialog.getByText('2 files would change, 1 file would be left alone.').waitFor();
  });
  const changing = dialog.getByRole('list', { name: 'Files that change' }).getByRole('listitem');
  assert.deepEqual(await changing.allInnerTexts(), [
    'agents.md deleted: no one else changed it (1 line removed)',
    'plan.md without these changes; the text of others stays (1 line restored, 1 removed)',
  ]);
  const left = dialog.getByRole('list', { name: 'Files that are left alone' });
  await left.getByText(/^others changed the same lines/).waitFor();
  await axeClean(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await textOf(home), now, 'the preview changed something');
  await page
    .getByRole('button', { name: /^More for Claude/ })
    .and(page.locator(':focus'))
    .waitFor();

  // Limited to one file, and to a time without changes.
  await open('Claude (agent) saved notes/both.md', /^Undo what Claude \(agent\) did in both\.md since /);
  await dialog.getByText('Nothing would change, 1 file would be left alone.').waitFor();
  const button = dialog.getByRole('button', { name: 'Undo', exact: true });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await dialog.getByLabel('Until').fill('2001-01-01T00:00:01');
  await dialog.getByRole('alert').getByText('The end must not be before the start.').waitFor();
  await dialog.getByLabel('Since').fill('2000-01-01T00:00:01');
  await dialog.getByText('There’s nothing left to undo.').waitFor();
  await dialog.getByLabel('Until').fill('');
  await dialog.getByLabel('Where').selectOption('The whole workspace');
  await dialog.getByText('2 files would change, 1 file would be left alone.').waitFor();

  await dialog.getByRole('button', { name: 'Undo in 2 files' }).click();
  await dialog.getByRole('status').getByText('Undone in 2 files. 1 file left alone.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
  await axeClean(page);
  assert.equal(await textOf(home), plan.replace('Three.', 'Three, by Ben.'));
  assert.equal(await textOf(home, 'notes/both.md'), 'The sentence, rewritten, by Ben.\n');
  assert.equal((await home.get('agents.md')).status, 404);
  await dialog.getByRole('link', { name: 'notes/both.md' }).click();
  await page.getByRole('heading', { level: 1, name: 'both.md' }).waitFor();
  await dialog.waitFor({ state: 'detached' });

  // Ben is not an admin: he can undo only his own changes.
  const bensPage = await app.open(t, { as: ben, screen: 'phone' });
  await bensPage.goto(`/w/${home.id}/activity`);
  const more = bensPage.getByRole('list', { name: 'Changes' }).getByRole('button', { name: /^More for / });
  await more.first().waitFor();
  const names = await more.evaluateAll((buttons) => buttons.map((each) => each.getAttribute('aria-label')));
  assert.equal(names.length, 2);
  for (const name of names) assert.match(name ?? '', /^More for Ben Brooks, /);
  await more.first().click();
  await bensPage.getByRole('menuitem', { name: /^Undo what Ben Brooks did since / }).click();
  const bensDialog = bensPage.getByRole('dialog', { name: 'Undo what Ben Brooks did' });
  await bensDialog.getByRole('button', { name: /^Undo in 1 file$/ }).waitFor();
  await axeClean(bensPage);
  const width = await bensPage.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} px wide`);
});

test('a failed or stopped undo says what to do next', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const claude = home.as((await createKey(ada, { name: 'Claude', actorType: 'agent' })).client);
  assertStatus(await claude.put('one.md', 'One.\n', { ifNoneMatch: '*' }), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/activity`);
  let fails: 'preview' | 'undo' | null = 'preview';
  let stopped: Promise<void> | null = null;
  await page.route('**/undo', async (route) => {
    const { dryRun = false } = route.request().postDataJSON() as { readonly dryRun?: boolean };
    if (fails === (dryRun ? 'preview' : 'undo'))
      await route.fulfill({ status: 500, json: { error: 'internal', message: 'It broke.' } });
    else if (dryRun || stopped === null) await route.continue();
    else {
      const response = (await (await route.fetch()).json()) as object;
      await stopped;
      await route.fulfill({ json: { ...response, nextPath: 'one.md' } });
    }
  });
  await page.getByRole('button', { name: /^More for Claude/ }).click();
  await page.getByRole('menuitem', { name: /^Undo what Claude \(agent\) did since / }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo what Claude (agent) did' });
  await dialog.getByText('The preview could not be loaded.').waitFor();
  fails = 'undo';
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Undo in 1 file' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/^The undo failed\. It broke\. Try again/)
    .waitFor();
  assert.equal(await textOf(home, 'one.md'), 'One.\n');
  fails = null;
  const stop = Promise.withResolvers<void>();
  stopped = stop.promise;
  await dialog.getByRole('button', { name: 'Undo in 1 file' }).click();
  await dialog.getByText('0 of 1 file checked.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  stop.resolve();
  await dialog.getByText('Undone in 1 file. Stopped. The other files were not changed.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await home.get('one.md')).status, 404);
});
