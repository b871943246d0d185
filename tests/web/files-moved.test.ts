import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedPaths } from '../support/expect.ts';
import { jsonOf, recordOf } from '../support/response.ts';
import { assertUnmoved } from './support/assert-unmoved.ts';
import { axeClean } from './support/axe-clean.ts';
import { chooseIn, notice, notices, openedBy, row } from './support/listed-files.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** Next to the link, where a click selects. */
const alongside = { position: { x: 420, y: 12 } };

test('moves five files by drag and by keyboard, and Undo restores them', app.options, async (t) => {
  const names = ['1.md', '2.md', '3.md', '4.md', '5.md'];
  const { workspace, page } = await openedBy(app, t, {
    ...Object.fromEntries(names.map((name) => [`in/${name}`, name])),
    'out/x.md': 'x',
  });
  await page.clock.install();
  await page.goto(`/w/${workspace.id}/d/in`);
  await row(page, '1.md').click(alongside);
  await row(page, '5.md').click({ ...alongside, modifiers: ['Shift'] });
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('5 selected').waitFor();
  await row(page, '3.md').dragTo(page.getByRole('treeitem', { name: 'out' }), {
    sourcePosition: { x: 300, y: 16 },
  });
  // The notice stays while the pointer is over it.
  await notice(page, 'Moved 5 items to out.').hover();
  await page.getByText('This folder is empty.').waitFor();
  assert.deepEqual(await listedPaths(workspace, 'in'), ['in/.keep']);
  await notice(page, 'Moved 5 items to out.').getByRole('button', { name: 'Undo' }).click();
  await row(page, '1.md').waitFor();
  await notice(page, 'Moved 5 items to in.').waitFor();
  assert.equal((await listedPaths(workspace, 'out')).length, 1);

  await row(page, '1.md').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Move 5 items' });
  await dialog.getByRole('option', { name: 'Team (top level)' }).waitFor();
  const typed = dialog.getByRole('combobox', { name: 'Find a folder' });
  await assertUnmoved(typed, async () => {
    await typed.fill('new/place');
    await dialog.getByRole('option', { name: 'New folder new/place' }).waitFor();
  });
  await axeClean(page);
  await page.keyboard.press('Enter');
  await notice(page, 'Moved 5 items to place.').waitFor();
  assert.deepEqual(
    await listedPaths(workspace, 'new/place'),
    names.map((name) => `new/place/${name}`),
  );

  // The breadcrumbs also accept a drop.
  await page.goto(`/w/${workspace.id}/d/new/place`);
  const above = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Team' });
  await row(page, '1.md').dragTo(above, { sourcePosition: { x: 300, y: 16 } });
  await notice(page, 'Moved 1.md to Team.').waitFor();
  assert.ok((await listedPaths(workspace, '')).includes('1.md'));

  // Backspace goes up, from a file and from a folder, and no further than the top.
  await page.getByRole('link', { name: '2.md' }).click();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  for (const name of ['2.md', 'place', 'new', 'Team']) {
    await heading(name).waitFor();
    await page.keyboard.press('Backspace');
  }
  await row(page, 'out').waitFor();
  await heading('Team').waitFor();

  // A folder opens after 600 ms of dragging over it, and accepts the drop.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await row(page, '1.md').hover({ position: { x: 300, y: 16 } });
  await page.mouse.down();
  await row(page, 'out').hover({ position: { x: 300, y: 14 } });
  await row(page, 'out').hover({ position: { x: 300, y: 18 } });
  await row(page, 'out').and(page.locator('[data-drop="into"]')).waitFor();
  await page.clock.runFor(590);
  assert.ok(await row(page, 'out').isVisible(), 'the folder opens too soon');
  await page.clock.runFor(20);
  await heading('out').waitFor();
  await page.clock.resume();
  await row(page, 'x.md').hover({ position: { x: 300, y: 100 }, force: true });
  await page.mouse.up();
  await notice(page, 'Moved 1.md to out.').waitFor();
  assert.ok((await listedPaths(workspace, 'out')).includes('out/1.md'));
});

test('a renamed folder keeps its icon, order and privacy', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'a/1.md': '1', 'a/2.md': '2', 'b.md': 'b' });
  await workspace.send('PUT', '/node-icon', { json: { path: 'a', icon: 'rocket' } });
  await workspace.send('PUT', '/node-order', { json: { paths: ['b.md', 'a'] } });
  await workspace.send('PUT', '/node-private', { json: { path: 'a', kind: 'folder', private: true } });
  await page.reload();
  await row(page, 'a').focus();
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename a' });
  await dialog.getByLabel('New name').fill('b.md');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByRole('alert').filter({ hasText: '“b.md” already exists here.' }).waitFor();
  await dialog.getByLabel('New name').fill('z');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await notice(page, 'Renamed to z.').hover();
  const list = jsonOf(await workspace.query('list'));
  assert.deepEqual(recordOf(list.icons), { z: 'rocket' });
  assert.deepEqual(recordOf(list.orders), { 'b.md': 0, z: 1 });
  assert.deepEqual(list.privatePaths, ['z']);
  assert.deepEqual(await listedPaths(workspace, 'z'), ['z/1.md', 'z/2.md']);
  await notice(page, 'Renamed to z.').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Renamed to a.').waitFor();
  assert.deepEqual(recordOf(jsonOf(await workspace.query('list')).icons), { a: 'rocket' });
});

test('a stopped long move can be continued or undone', app.options, async (t) => {
  const { workspace, page } = await openedBy(
    app,
    t,
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f/${i}.md`, `${i}`])),
  );
  let asked = 0;
  const held: (() => void)[] = [];
  await page.route('**/move', async (route) => {
    asked += 1;
    if (asked > 3) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue().catch(() => {});
  });
  await row(page, 'f').waitFor();
  await chooseIn(page, 'f', 'Rename');
  await page.getByLabel('New name').fill('g');
  await page.getByRole('button', { name: 'Rename' }).click();
  const progress = notice(page, 'Renaming f: 3 of 12');
  await progress.getByRole('button', { name: 'Stop' }).click();
  await page.unroute('**/move');
  for (const go of held) go();
  const left = notices(page)
    .getByRole('status')
    .filter({ hasText: /Moved [3-6] of 12 files\./ });
  await left.getByRole('button', { name: 'Move the rest' }).click();
  await notice(page, 'Renamed to g.').waitFor();
  assert.equal((await listedPaths(workspace, 'g')).length, 12);
  assert.equal((await listedPaths(workspace, 'f')).length, 0);
});
