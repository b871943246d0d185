import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedPaths } from '../support/expect.ts';
import { axeClean } from './support/axe-clean.ts';
import { holdResponses } from './support/held-requests.ts';
import { focused, press, tabTo } from './support/keyboard.ts';
import { chooseIn, contentOf, notice, notices, openedBy, row } from './support/listed-files.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('deletes a file at once and a folder after confirmation; Undo restores both', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, {
    'f/1.md': '1',
    'f/in/2.md': '2',
    'g/only.md': 'o',
    'x.md': 'x',
  });
  await row(page, 'x.md').focus();
  await page.keyboard.press('Delete');
  // The notice stays while the pointer is over it.
  await notice(page, 'Deleted x.md.').hover();
  await row(page, 'x.md').waitFor({ state: 'detached' });
  assert.equal((await workspace.get('x.md')).status, 404);
  await notice(page, 'Deleted x.md.').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Restored x.md.').waitFor();
  await row(page, 'x.md').waitFor();
  assert.equal(await contentOf(workspace, 'x.md'), 'x');

  await chooseIn(page, 'f', 'Delete');
  const ask = page.getByRole('alertdialog', { name: 'Delete f?' });
  await ask.getByText('2 files will be deleted.').waitFor();
  await axeClean(page);
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await row(page, 'f').waitFor();
  await chooseIn(page, 'f', 'Delete');
  await ask.getByRole('button', { name: 'Delete' }).click();
  await notice(page, 'Deleted f.').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Restored f.').waitFor();
  assert.equal(await contentOf(workspace, 'f/in/2.md'), '2');

  // Deleting the last file of a folder keeps the folder.
  await page.goto(`/w/${workspace.id}/d/g`);
  await row(page, 'only.md').focus();
  await page.keyboard.press('Delete');
  await page.getByText('This folder is empty.').waitFor();
  await notice(page, 'Deleted only.md.').waitFor();
  assert.deepEqual(await listedPaths(workspace, 'g'), ['g/.keep']);
});

test('files can be selected, deleted and restored by keyboard alone', app.options, async (t) => {
  const names = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
  const { workspace, page } = await openedBy(app, t, Object.fromEntries(names.map((name) => [name, name])));
  await tabTo(page, row(page, 'a.md'));
  for (const [key, name] of [
    ['ArrowDown', 'b.md'],
    ['Space', 'b.md'],
    ['Shift+ArrowDown', 'c.md'],
    ['ArrowDown', 'd.md'],
    ['Space', 'd.md'],
  ] as const) {
    await page.keyboard.press(key);
    await focused(row(page, name));
  }
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('3 selected').waitFor();
  await page.keyboard.press('Delete');
  const ask = page.getByRole('alertdialog', { name: 'Delete 3 items?' });
  await focused(ask.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Escape');
  await focused(row(page, 'd.md'));
  await page.keyboard.press('Delete');
  await press(page, ask.getByRole('button', { name: 'Delete' }));
  // The focus is on the row that takes the position, and not on a button in it.
  await focused(row(page, 'e.md'));
  await press(page, notice(page, 'Deleted 3 items.').getByRole('button', { name: 'Undo' }));
  await notice(page, 'Restored 3 items.').waitFor();
  await row(page, 'c.md').waitFor();
  await page.locator('[role="row"]:focus').waitFor();
  assert.deepEqual(await listedPaths(workspace), names);
});

test('deletes a file that changed since it was listed only after confirmation', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'x.md': 'x' });
  await row(page, 'x.md').waitFor();
  // The page cannot list the file again before it deletes.
  await page.route(/\/list\?.*prefix=/, (route) => route.abort());
  assert.equal((await workspace.put('x.md', 'newer', { ifMatch: 1 })).status, 200);
  await row(page, 'x.md').focus();
  await page.keyboard.press('Delete');
  const alert = notices(page)
    .getByRole('alert')
    .filter({ hasText: 'x.md has changed since you looked. It was not deleted.' });
  await alert.waitFor();
  await row(page, 'x.md').waitFor();
  assert.equal(await contentOf(workspace, 'x.md'), 'newer');
  await page.unroute(/\/list\?.*prefix=/);
  await alert.getByRole('button', { name: 'Delete anyway' }).click();
  await notice(page, 'Deleted x.md.').waitFor();
  assert.equal((await workspace.get('x.md')).status, 404);
});

test('reports files that another user has just deleted instead of an own change', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'x.md': 'x', 'y.md': 'y', 'out/z.md': 'z' });
  const feed = await holdResponses(page, '**/changes?*', () => true);
  await page.reload();
  await row(page, 'x.md').waitFor();
  // The page does not learn of the deletes.
  feed.hold();
  for (const path of ['x.md', 'y.md']) assert.equal((await workspace.remove(path, 1)).status, 204);
  await row(page, 'x.md').focus();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Move x.md' });
  await dialog.getByRole('option', { name: 'out' }).click();
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await notice(page, 'x.md no longer exists.').waitFor();
  await row(page, 'y.md').focus();
  await page.keyboard.press('Delete');
  await notice(page, 'y.md no longer exists.').waitFor();
  assert.equal(await notice(page, 'Moved x.md to out.').count(), 0);
  feed.release();
  await row(page, 'x.md').waitFor({ state: 'detached' });
  await page.goto(`/w/${workspace.id}/d/out`);
  await row(page, 'z.md').waitFor();
  assert.equal(await row(page, 'x.md').count(), 0);
});
