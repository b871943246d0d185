import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { listedPaths } from '../support/expect.ts';
import { axeClean } from './support/axe-clean.ts';
import { dropFolder } from './support/drop-folder.ts';
import { type DroppedEntry, dropTree } from './support/drop-tree.ts';
import { contentOf, notice, openedBy, row } from './support/listed-files.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
/** Console messages about a request whose file no longer exists. */
const allowedGone = { messages: [/ERR_FILE_NOT_FOUND|ERR_UPLOAD_FILE_CHANGED|ERR_FAILED|ERR_ACCESS_DENIED/] };

test('uploads thirty dropped files with progress, one cancelled and one retried', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'in/a.md': 'x' });
  await row(page, 'in').waitFor();
  // The fourth upload waits for `letGo`. The second fails once.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let rejected = false;
  let letRetryGo = () => {};
  const retryHeld = new Promise<void>((resolve) => {
    letRetryGo = resolve;
  });
  await page.route('**/files/in/drop/*', async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.endsWith('/04.txt')) await held;
    if (path.endsWith('/02.txt') && !rejected) {
      rejected = true;
      return route.fulfill({
        status: 503,
        json: { statusMessage: 'The server is busy', message: 'The server is busy' },
      });
    }
    if (path.endsWith('/02.txt')) await retryHeld;
    return route.continue().catch(() => {});
  });
  // A browser lets a page ask about closing only after the user has interacted with it.
  await page.getByRole('heading', { level: 1 }).click();
  await page.evaluate(dropFolder, { selector: '[data-drop-folder="in"]', folder: 'drop', count: 30 });
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByText('28 of 30 uploaded').waitFor();
  await tray.getByRole('progressbar', { name: '04.txt' }).waitFor();
  await axeClean(page);
  await staysWhenAsked(page);
  await tray.getByRole('button', { name: 'Cancel 04.txt' }).click();
  letGo();
  await tray.getByRole('listitem', { name: '04.txt' }).getByText('Cancelled').waitFor();
  await tray.getByRole('listitem', { name: '02.txt' }).getByText('The server is busy').waitFor();
  await tray.getByRole('button', { name: 'Retry 02.txt' }).click();
  await staysWhenAsked(page);
  // The notice names only the retried file.
  const said = notice(page, 'Uploaded 02.txt.').waitFor();
  letRetryGo();
  await said;
  await tray.getByText('29 of 30 uploaded').waitFor();
  await tray.getByRole('button', { name: 'Close' }).click();
  await tray.waitFor({ state: 'detached' });
  const paths = await listedPaths(workspace, 'in/drop');
  assert.equal(paths.length, 29);
  assert.ok(!paths.includes('in/drop/04.txt'));
  assert.equal(await contentOf(workspace, 'in/drop/02.txt'), 'file 2');
  // No upload runs any more, so the page does not ask.
  page.on('dialog', (dialog) => assert.fail(`asked by ${dialog.type()}`));
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
});

test('reports unreadable entries of a dropped folder and uploads the others', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'there/a.md': 'x' });
  await row(page, 'there').waitFor();
  const dropped: readonly DroppedEntry[] = [
    {
      name: 'drop',
      entries: [
        { name: 'a.txt', text: 'a' },
        { name: 'latin\ufffd.txt', unreadable: 'file' },
        { name: '__init__.py', text: '' },
        { name: 'closed', unreadable: 'folder' },
        { name: 'empty', entries: [{ name: 'inner', entries: [] }] },
        { name: 'bad\u0000name', text: 'bad' },
        { name: 'z.txt', text: 'z' },
      ],
    },
    { name: 'alone.txt', unreadable: 'file' },
    { name: 'there', entries: [] },
  ];
  await page.evaluate(dropTree, { selector: 'main', dropped });
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByText('5 of 9 uploaded').waitFor();
  const line = (name: string | RegExp) => tray.getByRole('listitem', { name, exact: true });
  const why = 'Could not be read on this device: A requested file or directory could not be found.';
  for (const name of [/^latin/, 'closed', 'alone.txt'])
    await line(name).getByText(why, { exact: true }).waitFor();
  await line(/^bad/).getByText('Its name cannot be used here:').waitFor();
  // The reason leaves enough width for the name.
  const nameWidth = await line('closed')
    .locator('.uploads-name')
    .evaluate((name) => name.getBoundingClientRect().width);
  assert.ok(nameWidth > 100, `${nameWidth} px are left for the name`);
  await line('inner').getByText('Done', { exact: true }).waitFor();
  await line('there').getByText('Already there', { exact: true }).waitFor();
  await axeClean(page);
  assert.deepEqual((await listedPaths(workspace, 'drop')).toSorted(), [
    'drop/__init__.py',
    'drop/a.txt',
    'drop/empty/inner/.keep',
    'drop/z.txt',
  ]);
  assert.equal(await contentOf(workspace, 'drop/__init__.py'), '');
  assert.deepEqual(await listedPaths(workspace, 'there'), ['there/a.md']);
});

test('reports a file that is gone from the disk and offers a retry', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'in/a.md': 'x' }, allowedGone);
  await row(page, 'in').waitFor();
  await page.evaluate(async () => {
    const disk = await navigator.storage.getDirectory();
    const handle = await disk.getFileHandle('gone.txt', { create: true });
    const writable = await handle.createWritable();
    await writable.write('first');
    await writable.close();
    const file = await handle.getFile();
    await disk.removeEntry('gone.txt');
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    const value = { types: ['Files'], items: [], files: [file], dropEffect: 'none', setData: () => {} };
    Object.defineProperty(event, 'dataTransfer', { value });
    document.querySelector('[data-drop-folder="in"]')?.dispatchEvent(event);
  });
  const line = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem', { name: 'gone.txt' });
  await line.getByText('Could not be read on this device:').waitFor();
  await line.getByRole('button', { name: 'Retry gone.txt' }).waitFor();
  assert.deepEqual(await listedPaths(workspace, 'in'), ['in/a.md']);
});

test(
  'a taken name offers skip, keep both and replace; identical bytes need no question',
  app.options,
  async (t) => {
    const { workspace, page } = await openedBy(app, t, {
      'a.txt': 'old a',
      'b.txt': 'old b!',
      'c.txt': 'old c!!',
      'd.txt': 'old d!!!',
      'same.txt': 'same',
    });
    const upload = async (...files: readonly (readonly [string, string])[]) => {
      await page.getByRole('button', { name: 'New', exact: true }).click();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('menuitem', { name: 'Upload files' }).click();
      await (await chooser).setFiles(
        files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
      );
    };
    await upload(
      ['a.txt', 'new a and longer'],
      ['b.txt', 'new b'],
      ['c.txt', 'new c'],
      ['d.txt', 'new d'],
      ['same.txt', 'same'],
    );
    const first = page.getByRole('dialog', { name: 'a.txt is already here' });
    await first.getByRole('region', { name: 'Existing' }).getByText('5 B').waitFor();
    await first.getByRole('region', { name: 'New' }).getByText('16 B').waitFor();
    assert.equal(await first.locator('strong').first().textContent(), '16 B');
    await axeClean(page);
    await first.getByRole('button', { name: 'Skip' }).click();
    // In a small window the tray could cover the dialog's buttons.
    await page.setViewportSize({ width: 700, height: 520 });
    await page
      .getByRole('dialog', { name: 'b.txt is already here' })
      .getByRole('button', { name: 'Keep both' })
      .click();
    const third = page.getByRole('dialog', { name: 'c.txt is already here' });
    await third.getByLabel('Do this for the other 1').check();
    await third.getByRole('button', { name: 'Replace' }).click();
    await notice(page, 'same.txt was already there.').waitFor();
    await notice(page, 'Uploaded 3 files.').waitFor();
    assert.equal(await contentOf(workspace, 'a.txt'), 'old a');
    assert.equal(await contentOf(workspace, 'b.txt'), 'old b!');
    assert.equal(await contentOf(workspace, 'b (2).txt'), 'new b');
    assert.equal(await contentOf(workspace, 'c.txt'), 'new c');
    assert.equal(await contentOf(workspace, 'd.txt'), 'new d');
    assert.ok((await workspace.changes()).every((change) => change.op !== 'conflict'));
  },
);

test('uploads a chosen folder with its structure', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, { 'in/a.md': 'x' });
  const location = await mkdtemp(join(tmpdir(), 'stoa-chosen-'));
  t.after(() => rm(location, { recursive: true }));
  await mkdir(join(location, 'trip/photos'), { recursive: true });
  await writeFile(join(location, 'trip/list.txt'), 'list');
  await writeFile(join(location, 'trip/photos/one.txt'), 'one');
  await page.goto(`/w/${workspace.id}/d/in`);
  await row(page, 'a.md').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload folder' }).click();
  await (await chooser).setFiles(join(location, 'trip'));
  await notice(page, 'Uploaded 2 files.').waitFor();
  assert.deepEqual(await listedPaths(workspace, 'in/trip'), ['in/trip/list.txt', 'in/trip/photos/one.txt']);
  assert.equal(await contentOf(workspace, 'in/trip/photos/one.txt'), 'one');
});

/** Closes the tab, expects a confirmation and cancels it. */
async function staysWhenAsked(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), 'beforeunload');
  await question.dismiss();
}
