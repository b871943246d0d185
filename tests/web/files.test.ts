import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordOf } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { focused, hasFocus } from './support/keyboard.ts';
import { chooseIn, contentOf, notice, openedBy, row } from './support/listed-files.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('dialogs create files and folders and say what is wrong with a name', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'notes/plan.md': 'x' });
  await page.goto(`/w/${workspace.id}/d/notes`);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New file' });
  const name = dialog.getByLabel('Name');
  assert.equal(await name.inputValue(), 'untitled.md');
  // The stem is selected, so typing replaces it.
  await focused(name);
  await page.keyboard.type('diary');
  assert.equal(await name.inputValue(), 'diary.md');
  for (const [typed, said] of [
    ['plan.md', '“plan.md” already exists here.'],
    ['a\\b', 'This name cannot be used: backslashes are not allowed'],
    ['../x', 'This name cannot be used: ".." is not allowed'],
  ] as const) {
    await name.fill(typed);
    await name.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: said }).waitFor();
  }
  await name.fill('2026/ideas.md');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'ideas.md' }).waitFor();
  assert.equal(await contentOf(workspace, 'notes/2026/ideas.md'), '# ideas\n');

  await page.goto(`/w/${workspace.id}`);
  await row(page, 'notes').waitFor();
  await page.keyboard.press('Shift+N');
  const folder = page.getByRole('dialog', { name: 'New folder' });
  await folder.getByLabel('Name').fill('mine');
  await folder.getByLabel('Private').check();
  await folder.getByRole('button', { name: 'Create' }).click();
  await page.getByText('This folder is empty.').waitFor();
  const list = jsonOf(await workspace.query('list'));
  assert.deepEqual(list.privatePaths, ['mine']);
  assert.equal(await contentOf(workspace, 'mine/.keep'), '\n');
  await page.getByRole('treeitem', { name: 'mine' }).waitFor();
  await axeClean(page);
});

test('downloads files and copies their link, path and prompt', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'notes/plan.md': '# Plan\n' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/w/${workspace.id}/d/notes`);
  let before = '';
  const copy = async (entry: string, said: string) => {
    await chooseIn(page, 'plan.md', entry);
    await notice(page, said).first().waitFor();
    // The previous notice, with nearly the same text, may still be shown.
    before = await page.evaluate(async (old) => {
      let text = old;
      for (let frames = 0; text === old && frames < 1000; frames += 1) {
        await new Promise(requestAnimationFrame);
        text = await navigator.clipboard.readText();
      }
      return text;
    }, before);
    return before;
  };
  assert.equal(await copy('Copy link', 'Link copied.'), `${app.url}/w/${workspace.id}/f/notes/plan.md`);
  assert.equal(await copy('Copy path', 'Path copied.'), 'notes/plan.md');
  assert.equal(await copy('Copy as Markdown', 'Copied.'), '# Plan\n');
  assert.equal(
    await copy('Copy prompt for an agent', 'Copied.'),
    `In the Stoa workspace “Team” (id ${workspace.id}): read AGENTS.md, then notes/plan.md.`,
  );
  const download = page.waitForEvent('download');
  await chooseIn(page, 'plan.md', 'Download');
  assert.equal((await download).suggestedFilename(), 'plan.md');
});

test('the focus stays on its item while others appear and disappear around it', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'c.md': 'c', 'm.md': 'm', 'x.md': 'x' });
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true });
  for (const [kind, at] of [
    ['list', (name: string) => row(page, name)],
    ['tree', item],
  ] as const) {
    await at('m.md').focus();
    assert.equal((await workspace.put('a.md', kind)).status, 201);
    await at('a.md').waitFor();
    assert.ok(await hasFocus(at('m.md')), `${kind}: an item above it appeared`);
    for (const path of ['a.md', 'c.md']) assert.equal((await workspace.remove(path, 1)).status, 204);
    await at('c.md').waitFor({ state: 'detached' });
    assert.ok(await hasFocus(at('m.md')), `${kind}: two items above it disappeared`);
    assert.equal((await workspace.remove('m.md', 1)).status, 204);
    await at('m.md').waitFor({ state: 'detached' });
    await focused(at('x.md'));
    for (const path of ['c.md', 'm.md']) assert.equal((await workspace.put(path, kind)).status, 201);
    await at('c.md').waitFor();
  }
});

test('sets an icon and an order, and hides a private folder from others', app.options, async (t) => {
  const { ada, workspace, page } = await openedBy(app, t, { 'a/1.md': '1', 'b.md': 'b', 'c.md': 'c' });
  const ben = await signUp(app.client, 'Ben');
  await joinWorkspace(workspace, ada, ben);
  const bens = await app.open(t, { as: ben });
  await bens.goto(`/w/${workspace.id}`);
  await bens.getByRole('treeitem', { name: 'a', exact: true }).waitFor();

  await row(page, 'b.md').waitFor();
  await chooseIn(page, 'b.md', 'Set icon');
  const dialog = page.getByRole('dialog', { name: 'Icon for b.md' });
  await dialog.getByRole('grid', { name: 'Icons' }).getByRole('button', { name: 'seedling' }).click();
  await axeClean(page);
  await dialog.getByRole('button', { name: 'Set icon' }).click();
  await notice(page, 'Icon set.').waitFor();

  await row(page, 'b.md').focus();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await notice(page, 'b.md is now number 3 of 3.').waitFor();

  await chooseIn(page, 'a', 'Private');
  await notice(page, 'a is private. Only you can see it.').waitFor();
  await bens.getByRole('treeitem', { name: 'a', exact: true }).waitFor({ state: 'detached' });
  await bens.goto(`/w/${workspace.id}/d/a`);
  await bens.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  const list = jsonOf(await workspace.query('list'));
  assert.deepEqual(recordOf(list.icons), { 'b.md': '🌱' });
  assert.deepEqual(recordOf(list.orders), { a: 0, 'c.md': 1, 'b.md': 2 });
  assert.deepEqual(list.privatePaths, ['a']);

  await row(page, 'a').getByRole('link', { name: 'a', exact: true }).click();
  await page.getByRole('button', { name: 'Actions for 1.md' }).click();
  await page
    .getByRole('menuitemcheckbox', { name: 'Private', checked: true })
    .and(page.locator('[aria-disabled="true"][aria-description="Private with a"]'))
    .waitFor();
  await page.keyboard.press('Escape');
  const shared = { path: 'a', kind: 'folder', private: false };
  assertStatus(await workspace.send('PUT', '/node-private', { json: shared }), 200);
  await bens.goto(`/w/${workspace.id}/activity`);
  const reported = bens.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await reported.filter({ hasText: 'made a private' }).first().waitFor();
  await reported.filter({ hasText: 'shared a with members again' }).first().waitFor();
});

test(
  'the palette finds a file by name and opens it with the keyboard; > lists commands',
  app.options,
  async (t) => {
    const { page } = await openedBy(app, t, {
      'notes/2026/quarterly plan.md': '# Plan\n\nThe falcon lands.\n',
      'x.md': 'x',
    });
    await row(page, 'x.md').waitFor();
    await page.keyboard.press('Control+K');
    const dialog = page.getByRole('dialog', { name: 'Find' });
    const field = dialog.getByRole('combobox', { name: 'Find files, text and commands' });
    await field.fill('qpl');
    await dialog
      .getByRole('listbox', { name: 'Results' })
      .getByRole('option', { name: 'notes/2026/quarterly plan.md' })
      .waitFor();
    await axeClean(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'quarterly plan.md' }).waitFor();
    await page.keyboard.press('Control+K');
    await dialog.getByRole('option', { name: 'notes/2026/quarterly plan.md' }).waitFor();
    await dialog.getByText('Recent files', { exact: true }).waitFor();
    await field.fill('>new f');
    await dialog
      .getByRole('listbox', { name: 'Commands' })
      .getByRole('option', { name: 'New folder' })
      .waitFor();
    await field.fill('zzzz');
    await dialog.getByText('No files match.').waitFor();
    await field.fill('FALCON');
    await dialog
      .getByRole('listbox', { name: 'In texts' })
      .getByRole('option', { name: 'notes/2026/quarterly plan.md, line 3: The falcon lands.' })
      .waitFor();
    await axeClean(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'quarterly plan.md' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  },
);

test('accepts file names that equal property names of every object', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
  for (const name of names) assertStatus(await workspace.put(`${name}/${name}`, 'Text.\n'), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspace.id}`);
  for (const name of names) {
    const row = page.getByRole('row', { name, exact: true });
    await row.locator('.ui-icon').first().waitFor();
    await row.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.getByRole('treeitem', { name, exact: true }).first().locator('.ui-icon').first().waitFor();
    await page
      .getByRole('button', { name: `Actions for ${name}`, exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Set icon' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name, exact: true }).getByRole('link').click();
    await page.getByRole('textbox', { name: `Text of ${name}` }).waitFor();
    await page.goto(`/w/${workspace.id}`);
  }
});
