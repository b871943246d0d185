import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { operator } from '../support/operator.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { dropFolder } from './support/drop-folder.ts';
import { goTo } from './support/go-to.ts';
import { holdResponses } from './support/held-requests.ts';
import { useOwnApp } from './support/use-app.ts';

const plans = {
  default: 'small',
  plans: [{ id: 'small', name: 'Small', storageBytes: 4000, files: 6, fileBytes: 2000, workspaces: 2 }],
};
const folder = await mkdtemp(join(tmpdir(), 'stoa-plans-'));
await writeFile(join(folder, 'plans.json'), JSON.stringify(plans));
after(() => rm(folder, { recursive: true }));
const app = await useOwnApp({ STOA_PLANS: join(folder, 'plans.json') });

/** Ada with a workspace of these files, and a page on which she is signed in. */
async function atWork(t: TestContext, files: Readonly<Record<string, string>>) {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  for (const [path, text] of Object.entries(files)) {
    assert.equal((await workspace.put(path, text)).status, 201, path);
  }
  const page = await app.open(t, { as: ada });
  return { ada, workspace, page, at: (path: string) => `/w/${workspace.id}${path}` };
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of plan.md' });
const says = (page: Page, text: string) =>
  page
    .getByRole('status', { name: 'Save state' })
    .and(page.getByText(text, { exact: true }))
    .waitFor();
const alert = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
const usageLink = (inside: Page | Locator) =>
  inside.getByRole('link', { name: 'See what uses the space', exact: true });

/** Replaces the text in the editor. */
async function rewrite(page: Page, text: string) {
  await editor(page).press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.keyboard.press('ControlOrMeta+S');
}

async function chooseFiles(page: Page, name: string, bytes: number) {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload files' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') });
}

const disabledBecause = (control: Locator, reason: string) =>
  control.and(control.page().locator(`[aria-disabled="true"][aria-description="${reason}"]`)).waitFor();

test(
  'does not save a text above the limit, says so, and saves it once it is shorter',
  app.options,
  async (t) => {
    const { workspace, page, at } = await atWork(t, { 'plan.md': 'Words\n' });
    await page.goto(at('/f/plan.md?mode=edit'));
    await editor(page).waitFor();
    await rewrite(page, 'x'.repeat(2001));
    await says(page, 'Not saved: larger than 2 kB');
    await rewrite(page, 'short');
    await says(page, 'Saved');
    assert.equal((await workspace.get('plan.md')).bytes.toString(), 'short');

    await page.goto(at(''));
    await chooseFiles(page, 'large.txt', 2001);
    const line = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem', { name: 'large.txt' });
    await line.getByText('Larger than 2 kB', { exact: true }).waitFor();
    await chooseFiles(page, 'nothing.txt', 0);
    const empty = page
      .getByRole('region', { name: 'Uploads' })
      .getByRole('listitem', { name: 'nothing.txt' });
    await empty.getByText('Done', { exact: true }).waitFor();
    assert.equal((await workspace.get('nothing.txt')).bytes.length, 0);
  },
);

test(
  'a full workspace says how full it is, links to its usage and keeps the typed text',
  app.options,
  async (t) => {
    const { workspace, page, at } = await atWork(t, {
      'plan.md': 'Words.\n',
      'large.txt': 'x'.repeat(1900),
      'old.txt': 'x'.repeat(1900),
    });
    await page.goto(at('/f/plan.md?mode=edit'));
    await editor(page).waitFor();
    const text = 'y'.repeat(800);
    await rewrite(page, text);
    await says(page, 'Not saved: the workspace is full');
    const main = page.getByRole('main');
    await main.getByText('3.8 kB of 4 kB used').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Workspace' });
    await navigation.getByRole('meter', { name: 'Storage used' }).waitFor();
    await axeClean(page);
    await usageLink(main).click();

    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    assert.equal(
      await page.getByRole('meter', { name: 'Storage', exact: true }).getAttribute('aria-valuenow'),
      '3807',
    );
    assert.equal(await page.getByRole('meter', { name: 'Files' }).getAttribute('aria-valuemax'), '6');
    for (const term of ['Largest file allowed', 'Views of shared pages', 'Plan']) {
      await page.getByRole('term').filter({ hasText: term }).waitFor();
    }
    await page.getByRole('table', { name: 'Largest files' }).getByRole('link', { name: 'old.txt' }).waitFor();
    await axeClean(page);

    await page.goto(at(''));
    await chooseFiles(page, 'more.txt', 900);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('listitem', { name: 'more.txt' }).getByText('The workspace is full').waitFor();
    await usageLink(uploads).waitFor();

    assert.equal((await workspace.remove('old.txt', 1)).status, 204);
    await page.goto(at('/f/plan.md?mode=edit'));
    await editor(page).getByText(text).waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await says(page, 'Saved');
    assert.equal((await workspace.get('plan.md')).bytes.toString(), text);
    assert.equal((await workspace.put('new.txt', 'x'.repeat(1290))).status, 201);
    await page.goto(at('/activity'));
    await page.getByRole('button', { name: 'Restore old.txt' }).click();
    await alert(page).filter({ hasText: 'The workspace is full.' }).waitFor();
    await usageLink(alert(page)).waitFor();
  },
);

test('the app shows the limits of the plan for files and workspaces', app.options, async (t) => {
  const files = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${n}.md`, `${n}`]));
  const { ada, workspace, page, at } = await atWork(t, files);
  await page.goto(at(''));
  await page.getByRole('row', { name: '5.md' }).waitFor();
  const notice = page.getByRole('status', { name: 'Workspace notice' });
  assert.equal(await notice.textContent(), '');
  assert.equal((await workspace.put('archive/6.md', '6')).status, 201);
  await page.goto(at('/d/archive'));
  await notice.getByText('6 of 6 files used.', { exact: true }).waitFor();
  await axeClean(page);
  // The limit leaves no room for a `.keep` file. The folder's last file can still be deleted and restored.
  await page.getByRole('row', { name: '6.md' }).focus();
  await page.keyboard.press('Delete');
  const said = page.getByRole('region', { name: 'Notifications' }).getByRole('status');
  const deleted = said.filter({ hasText: 'Deleted 6.md.' });
  // The notice stays while the pointer is over it.
  await deleted.hover();
  assert.equal((await workspace.get('archive/6.md')).status, 404);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await said.filter({ hasText: 'Restored 6.md.' }).waitFor();
  assert.equal((await workspace.get('archive/6.md')).bytes.toString(), '6');

  await createWorkspace(ada, ada.session, 'Second');
  await page.getByRole('button', { name: 'Workspace Workspace' }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workspace' });
  await dialog.getByLabel('Name').fill('Third');
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Your plan allows 2 workspaces.' }).waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Third');
  await axeClean(page);
});

test(
  'a full server says that nothing was changed, and the app keeps the typed text',
  app.options,
  async (t) => {
    const { workspace, page, at } = await atWork(t, { 'plan.md': 'Words\n' });
    // The response of a server with a full disk, which this test cannot cause.
    const response = {
      statusCode: 503,
      statusMessage: 'The server has no space left. Nothing was changed.',
      message: 'The server has no space left. Nothing was changed.',
      data: { error: 'storage_full' },
    };
    let isFull = true;
    await page.route(/\/api\/workspaces\/.*/, (route) =>
      isFull && route.request().method() !== 'GET'
        ? route.fulfill({ status: 503, json: response })
        : route.fallback(),
    );
    await page.goto(at('/f/plan.md?mode=edit'));
    await editor(page).waitFor();
    await rewrite(page, 'kept');
    await says(page, 'Not saved: The server has no space left. Nothing was changed.');
    await page.goto(at(''));
    await page.getByRole('row', { name: 'plan.md' }).focus();
    await page.keyboard.press('Delete');
    await alert(page).filter({ hasText: 'The server has no space left. Nothing was changed.' }).waitFor();
    await page.getByRole('row', { name: 'plan.md' }).waitFor();
    isFull = false;
    await page.goto(at('/f/plan.md?mode=edit'));
    await editor(page).getByText('kept').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await says(page, 'Saved');
    assert.equal((await workspace.get('plan.md')).bytes.toString(), 'kept');
  },
);

test('an open page updates its controls when the workspace is read-only', app.options, async (t) => {
  const { workspace, page, at } = await atWork(t, { 'notes/plan.md': 'Words.\n' });
  const reason = 'This workspace is read-only. You can read, move and delete.';
  await operator(app.service, 'workspace', 'lapse', workspace.id);
  const usage = await holdResponses(page, '**/usage', () => true);
  usage.hold();
  for (const address of ['/d/notes', '/f/notes/plan.md']) {
    await page.goto(at(address));
    const newThing = page.getByRole('button', { name: 'New', exact: true });
    await newThing.and(page.locator(':not([aria-disabled])')).waitFor();
    // The palette is already open: its entries update as well.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find files, text and commands' }).fill('>new f');
    const option = page.getByRole('option', { name: 'New file', exact: true });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-description'), 'n');
    usage.release();
    await page.locator(`[role="option"][aria-description="${reason}"]`).first().waitFor();
    const said = page.getByRole('region', { name: 'Notifications' }).getByText(reason, { exact: true });
    await page.keyboard.press('Enter');
    await said.waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await disabledBecause(newThing, reason);
    // Every way to create an item says why it does not work.
    await page.getByRole('heading', { level: 1 }).focus();
    for (const attempt of [
      () => page.keyboard.press('n'),
      () => page.keyboard.press('Shift+N'),
      () => page.keyboard.press('u'),
      () => newThing.click({ force: true }),
    ]) {
      await attempt();
      await said.waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.getByRole('button', { name: 'Close' }).click();
      await said.waitFor({ state: 'detached' });
    }
    usage.hold();
  }
  usage.release();
});

test('a read-only workspace says so and disables the controls that would fail', app.options, async (t) => {
  const { workspace, page, at } = await atWork(t, {
    'plan.md': '# Plan\n\nSome words.\n',
    'notes/a.md': 'One.\n',
    'solo/b.md': 'Alone.\n',
    'gone.md': 'Gone.\n',
  });
  await workspace.put('plan.md', '# Plan\n\n- [ ] A task\n', { ifMatch: 1 });
  // A write with an old base version makes a conflicted copy.
  await workspace.put('notes/a.md', 'Other.\n', { ifMatch: 1 });
  assert.equal((await workspace.put('notes/a.md', 'Lost.\n', { ifMatch: 1 })).status, 412);
  assert.equal((await workspace.remove('gone.md', 1)).status, 204);
  await page.goto(at('/f/plan.md?mode=edit'));
  await says(page, 'Saved');
  await operator(app.service, 'workspace', 'lapse', workspace.id);
  await editor(page).press('x');
  await page.keyboard.press('ControlOrMeta+S');
  await says(page, 'Read-only');
  const reason = 'This workspace is read-only. You can read, move and delete.';
  // The rejected write shows the notice on the whole page without a reload.
  await page.getByRole('status', { name: 'Workspace notice' }).getByText(reason, { exact: true }).waitFor();
  await goTo(page, at('/f/plan.md?panel=history'));
  await disabledBecause(page.getByRole('radio', { name: 'Edit' }), reason);
  await disabledBecause(page.getByRole('button', { name: 'Restore version 1' }), reason);
  await disabledBecause(page.getByRole('button', { name: 'New', exact: true }), reason);
  await disabledBecause(page.getByRole('checkbox', { name: 'A task' }), reason);
  await axeClean(page);
  await goTo(page, at('/activity'));
  await disabledBecause(page.getByRole('button', { name: 'Restore gone.md' }), reason);
  await goTo(page, at('/conflicts'));
  await disabledBecause(page.getByRole('button', { name: 'Compare and merge' }), reason);
  await goTo(page, at('/d/notes?view=calendar'));
  await disabledBecause(page.getByRole('button', { name: /^New note on/ }).first(), reason);

  // The app writes no `.keep` file for a folder that loses its last file.
  await goTo(page, at('/d/solo'));
  await page.getByRole('row', { name: 'b.md' }).focus();
  await page.keyboard.press('m');
  const move = page.getByRole('dialog', { name: 'Move b.md' });
  await move.getByRole('option', { name: 'Workspace (top level)' }).click();
  await move.getByRole('button', { name: 'Move here' }).click();
  const said = page.getByRole('region', { name: 'Notifications' }).getByRole('status');
  await said.filter({ hasText: 'Moved b.md to Workspace.' }).waitFor();
  await goTo(page, at('/f/b.md'));
  await page.getByText('Alone.').waitFor();
  assert.equal((await workspace.remove('b.md', 1)).status, 204);
  // The page shows a delete with the next response, once it cannot be half of a move.
  assert.equal((await workspace.remove('notes/a.md', 2)).status, 204);
  await disabledBecause(page.getByRole('button', { name: 'Restore b.md' }), reason);

  await goTo(page, at(''));
  await page.getByRole('row', { name: 'plan.md' }).waitFor();
  await page.evaluate(dropFolder, { selector: 'main', folder: 'more', count: 1 });
  await said.filter({ hasText: reason }).waitFor();
  const row = page.getByRole('row', { name: 'plan.md' });
  await row.getByRole('button', { name: 'Actions for plan.md' }).click();
  await disabledBecause(page.getByRole('menuitem', { name: 'Edit' }), reason);
  await page.keyboard.press('Escape');
  await row.focus();
  await page.keyboard.press('Delete');
  const asked = page.getByRole('alertdialog', { name: 'Delete plan.md?' });
  // The row disappears before the response arrives.
  const responded = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await asked.getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal((await responded).status(), 204);
  assert.equal((await workspace.get('plan.md')).status, 404);
});
