import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus, listedPaths } from '../support/expect.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { atWork, edit, editor, says, textOf, untilDraftHas } from './support/at-work.ts';
import { holdResponses, isPut } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
/** The console reports faults that a test causes on purpose. */
const allowed = { messages: [/./] };

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const notice = (page: Page, text: string | RegExp) =>
  notices(page).getByRole('status').filter({ hasText: text });
const failure = (page: Page, text: string | RegExp) =>
  notices(page).getByRole('alert').filter({ hasText: text });
const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

async function chooseIn(page: Page, name: string, entry: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page
    .getByRole('menu', { name: `Actions for ${name}` })
    .getByRole(entry === 'Private' ? 'menuitemcheckbox' : 'menuitem', { name: entry })
    .click();
}

test('notifies about changes to files, offers Undo and reports rejected changes', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, 'a\n', 'a.md');
  assertStatus(await workspace.put('b.md', 'b\n'), 201);
  const icon = { path: 'a.md', icon: 'rocket' };
  assertStatus(await workspace.send('PUT', '/node-icon', { json: icon }), 200);
  const page = await app.open(t, { as: ada, allowed });
  await page.clock.install();
  await page.goto(`/w/${workspace.id}`);
  await row(page, 'a.md').getByRole('checkbox').check();
  // The live region exists before its text: some screen readers ignore a region that arrives with text.
  assert.equal(await notices(page).getAttribute('aria-live'), 'polite');
  await row(page, 'b.md').getByRole('checkbox').check();
  const toolbar = page.getByRole('toolbar', { name: 'Selection' });
  await toolbar.getByRole('button', { name: 'Delete', exact: true }).click();
  const ask = page.getByRole('alertdialog', { name: 'Delete 2 items?' });
  await ask.getByText('2 files will be deleted.').waitFor();
  await ask.getByRole('button', { name: 'Delete', exact: true }).click();
  await notice(page, 'Deleted 2 items.').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Restored 2 items.').waitFor();
  assert.deepEqual(await listedPaths(workspace, ''), ['a.md', 'b.md']);

  await chooseIn(page, 'a.md', 'Set icon');
  const icons = page.getByRole('dialog', { name: 'Icon for a.md' });
  await icons.getByRole('button', { name: 'Remove icon' }).click();
  await notice(page, 'Icon removed.').waitFor();
  assert.deepEqual(jsonOf(await workspace.query('list')).icons, {});
  await chooseIn(page, 'a.md', 'Set icon');
  const nothing = page.locator('[aria-disabled="true"][aria-description="There is no icon to remove."]');
  await icons.getByRole('button', { name: 'Remove icon' }).and(nothing).waitFor();
  await page.keyboard.press('Escape');
  await icons.waitFor({ state: 'detached' });

  await row(page, 'a.md').focus();
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await notice(page, 'Already first.').waitFor();

  // A link ends when its file becomes private, so the app asks first. The way back loses nothing and does not ask.
  assertStatus(await workspace.post('shares', { path: 'a.md', kind: 'file', access: 'member' }), 201);
  await chooseIn(page, 'a.md', 'Private');
  const priv = page.getByRole('alertdialog', { name: 'Make a.md private?' });
  await priv.getByText('1 link to it will end.').waitFor();
  await priv.getByRole('button', { name: 'Make private' }).click();
  await notice(page, 'a.md is private. Only you can see it.').waitFor();
  await chooseIn(page, 'a.md', 'Private');
  await notice(page, 'Members can see a.md again.').waitFor();

  // Another write takes the name before Undo.
  await chooseIn(page, 'b.md', 'Delete');
  const deleted = notice(page, 'Deleted b.md.');
  // A notice stays while the pointer is over it.
  await deleted.hover();
  assertStatus(await workspace.put('b.md', 'by somebody else\n'), 201);
  await row(page, 'b.md').waitFor();
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await failure(page, 'b.md could not be restored: “b.md” already exists here.').waitFor();
  assert.equal(await textOf(workspace, 'b.md'), 'by somebody else\n');

  // The app shows the icon at once. The server rejects it, so the app takes it back.
  await page.route('**/node-icon', (route) =>
    route.fulfill({ status: 403, json: { statusMessage: 'Not today', message: 'Not today' } }),
  );
  await chooseIn(page, 'a.md', 'Set icon');
  await icons.getByRole('grid', { name: 'Icons' }).getByRole('button', { name: 'seedling' }).click();
  await icons.getByRole('button', { name: 'Set icon' }).click();
  const rejected = failure(page, 'Setting the icon was not possible: Not today');
  await rejected.waitFor();

  // From here on the page's clock advances only by `runFor`.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await chooseIn(page, 'b.md', 'Delete');
  await deleted.waitFor();
  await page.clock.runFor(7900);
  await deleted.hover();
  await page.clock.runFor(60_000);
  await deleted.getByRole('button', { name: 'Undo' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  assert.ok(await deleted.isVisible(), 'the notice disappears although it has the focus');
  await row(page, 'a.md').focus();
  await page.clock.runFor(7900);
  assert.ok(await deleted.isVisible(), 'the notice disappears too soon');
  await page.clock.runFor(200);
  await deleted.waitFor({ state: 'detached' });
  assert.ok(await rejected.isVisible(), 'the error disappears without being closed');
  await rejected.getByRole('button', { name: 'Close' }).click();
  await rejected.waitFor({ state: 'detached' });
});

test('the editor says why a text is not saved and reports changes by others', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  const feed = await holdResponses(page, '**/changes?*', () => true);
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '');
  await page.keyboard.type('Words.');
  await says(page, 'Saved');

  const elsewhere = await page.context().newPage();
  await edit(elsewhere, workspace);
  await editor(elsewhere).press('ControlOrMeta+End');
  await elsewhere.keyboard.type('\n\nFrom another tab.');
  await elsewhere.keyboard.press('ControlOrMeta+S');
  await notice(page, 'You changed this file in another tab.').first().waitFor();
  await editor(page).getByText('From another tab.').waitFor();
  await elsewhere.close();

  // The page misses the delete while the feed is delayed. The save creates the file again and says so.
  feed.hold();
  const { version } = await current(workspace);
  assertStatus(await agent.remove('plan.md', version), 204);
  await editor(page).press('ControlOrMeta+End');
  // In one step, so that the page saves once.
  await page.keyboard.insertText(' More.');
  await page.keyboard.press('ControlOrMeta+S');
  await notice(page, 'plan.md had been deleted. Your save brought it back.').waitFor();
  assert.match(await textOf(workspace), /From another tab\. More\./);
  feed.release();
  await says(page, 'Saved');

  assertStatus(await agent.post('move', { from: 'plan.md', to: 'notes/moved.md', baseVersion: 1 }), 200);
  await notice(page, 'plan.md was moved to notes/moved.md by Claude (agent).').waitFor();
  await page.waitForURL('**/f/notes/moved.md?mode=edit');

  await page.route('**/files/notes/moved.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
  await editor(page, 'moved.md').press('ControlOrMeta+End');
  await page.keyboard.type(' Unsaved.');
  await untilDraftHas(page, 'Unsaved.');
  assertStatus(await agent.remove('notes/moved.md', 1), 204);
  await says(page, 'Deleted: kept on this device');
  await page.getByRole('button', { name: 'Discard my text' }).click();
  await page
    .getByRole('heading', { level: 1, name: 'notes' })
    .or(page.getByRole('heading', { level: 1, name: 'Not found' }))
    .waitFor();

  async function current(of: typeof workspace) {
    const entries = recordsAt(jsonOf(await of.query('list')), 'entries');
    return { version: Number(entries.find(({ path }) => path === 'plan.md')?.version) };
  }
});

test('says that unsaved text is not kept when the device has no storage', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('No storage', 'InvalidStateError');
    };
  });
  await edit(page, workspace);
  await page.route('**/files/plan.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type('Nowhere yet.');
  await says(page, 'Not saved, and not kept on this device');
  // Closing the tab asks for confirmation until the server has the text.
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), 'beforeunload');
  await question.dismiss();
  await page.unroute('**/files/plan.md*');
  await page.keyboard.press('ControlOrMeta+S');
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '# Plan\nNowhere yet.');
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  assert.deepEqual(questions, []);
});
