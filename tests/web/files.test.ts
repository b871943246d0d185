import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { jsonOf, recordOf } from '../support/answer.ts';
import { listedPaths } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const notice = (page: Page, text: string) => notices(page).getByRole('status').filter({ hasText: text });
const row = (page: Page, name: string) => page.getByRole('row', { name, exact: true });
/** Beside the link, where a click selects. */
const beside = { position: { x: 420, y: 12 } };

async function openedBy(
  t: Parameters<typeof app.open>[0],
  files: Readonly<Record<string, string>>,
  name = 'Ada Lovelace',
) {
  const ada = await signUp(app.client, name);
  const workspace = await createWorkspace(ada, ada.session, 'Team');
  for (const [path, text] of Object.entries(files)) {
    assert.equal((await workspace.put(path, text)).status, 201);
  }
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspace.id}`);
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  return { ada, workspace, page };
}

async function chooseIn(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page
    .getByRole('menu', { name: `Actions for ${name}` })
    .getByRole(/^Private$/.test(entry) ? 'menuitemcheckbox' : 'menuitem', { name: entry, exact: true })
    .click();
}

async function contentOf(workspace: WorkspaceClient, path: string): Promise<string> {
  const answer = await workspace.get(path);
  assert.equal(answer.status, 200, path);
  return answer.bytes.toString();
}

test('files and folders are made by dialogs, which say what is wrong with a name', app.options, async (t) => {
  const { workspace, page } = await openedBy(t, { 'notes/plan.md': 'x' });
  await page.goto(`/w/${workspace.id}/d/notes`);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New file' });
  const name = dialog.getByLabel('Name');
  assert.equal(await name.inputValue(), 'untitled.md');
  // The stem is selected: what is typed takes its place.
  await focused(name);
  await page.keyboard.type('diary');
  assert.equal(await name.inputValue(), 'diary.md');
  for (const [typed, said] of [
    ['plan.md', 'There is already something called plan.md here.'],
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

test('thirty files are dropped: progress, one cancelled, one retried', app.options, async (t) => {
  const { workspace, page } = await openedBy(t, { 'in/a.md': 'x' });
  await row(page, 'in').waitFor();
  // The fourth waits until somebody lets it go; the second is refused once.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let refused = false;
  await page.route('**/files/in/drop/*', async (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path.endsWith('/04.txt')) await held;
    if (path.endsWith('/02.txt') && !refused) {
      refused = true;
      return route.fulfill({
        status: 503,
        json: { statusMessage: 'The server is busy', message: 'The server is busy' },
      });
    }
    return route.continue().catch(() => {});
  });
  await page.evaluate(dropFolder, { selector: '[data-drop-folder="in"]', folder: 'drop', count: 30 });
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByText('28 of 30 uploaded').waitFor();
  await tray.getByRole('progressbar', { name: '04.txt' }).waitFor();
  await axeClean(page);
  await tray.getByRole('button', { name: 'Cancel 04.txt' }).click();
  letGo();
  await tray.getByRole('listitem', { name: '04.txt' }).getByText('Cancelled').waitFor();
  await tray.getByRole('listitem', { name: '02.txt' }).getByText('The server is busy').waitFor();
  await tray.getByRole('button', { name: 'Retry 02.txt' }).click();
  await tray.getByText('29 of 30 uploaded').waitFor();
  await notice(page, 'Uploaded').first().waitFor();
  await tray.getByRole('button', { name: 'Close' }).click();
  await tray.waitFor({ state: 'detached' });
  const paths = await listedPaths(workspace, 'in/drop');
  assert.equal(paths.length, 29);
  assert.ok(!paths.includes('in/drop/04.txt'));
  assert.equal(await contentOf(workspace, 'in/drop/02.txt'), 'file 2');
});

/** Drops a folder of small files on an element, as the system's file manager does. */
function dropFolder({ selector, folder, count }: { selector: string; folder: string; count: number }): void {
  const files = Array.from({ length: count }, (_, i) => {
    const name = `${String(i).padStart(2, '0')}.txt`;
    const file = new File([`file ${i}`], name);
    return { isFile: true, isDirectory: false, name, file: (resolve: (file: File) => void) => resolve(file) };
  });
  let given = false;
  const entry = {
    isFile: false,
    isDirectory: true,
    name: folder,
    createReader: () => ({
      readEntries: (resolve: (entries: unknown[]) => void) => {
        resolve(given ? [] : files);
        given = true;
      },
    }),
  };
  const transfer = new DataTransfer();
  transfer.items.add(new File(['x'], folder));
  const target = document.querySelector(selector);
  for (const type of ['dragover', 'drop']) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer });
    Object.defineProperty(event, 'dataTransfer', {
      value: {
        types: ['Files'],
        items: [{ webkitGetAsEntry: () => entry }],
        files: [],
        dropEffect: 'none',
        setData: () => {},
      },
    });
    target?.dispatchEvent(event);
  }
}

test(
  'a name that is taken: skip, keep both, replace for the rest; the same bytes ask nobody',
  app.options,
  async (t) => {
    const { workspace, page } = await openedBy(t, {
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

test('five are moved by drag, then by keyboard, and Undo brings them back', app.options, async (t) => {
  const names = ['1.md', '2.md', '3.md', '4.md', '5.md'];
  const { workspace, page } = await openedBy(t, {
    ...Object.fromEntries(names.map((name) => [`in/${name}`, name])),
    'out/x.md': 'x',
  });
  await page.clock.install();
  await page.goto(`/w/${workspace.id}/d/in`);
  await row(page, '1.md').click(beside);
  await row(page, '5.md').click({ ...beside, modifiers: ['Shift'] });
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('5 selected').waitFor();
  await row(page, '3.md').dragTo(page.getByRole('treeitem', { name: 'out' }), {
    sourcePosition: { x: 300, y: 16 },
  });
  await notice(page, 'Moved 5 items to out.').waitFor();
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
  await dialog.getByRole('option', { name: 'Top of Team' }).waitFor();
  await dialog.getByRole('combobox', { name: 'Find a folder' }).fill('new/place');
  await dialog.getByRole('option', { name: 'New folder new/place' }).waitFor();
  await axeClean(page);
  await page.keyboard.press('Enter');
  await notice(page, 'Moved 5 items to place.').waitFor();
  assert.deepEqual(
    await listedPaths(workspace, 'new/place'),
    names.map((name) => `new/place/${name}`),
  );

  // The folders above are there to be dropped on, too.
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

  // A folder that something is held over for 600 ms opens, and takes it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await row(page, '1.md').hover({ position: { x: 300, y: 16 } });
  await page.mouse.down();
  await row(page, 'out').hover({ position: { x: 300, y: 14 } });
  await row(page, 'out').hover({ position: { x: 300, y: 18 } });
  await row(page, 'out').and(page.locator('[data-drop="into"]')).waitFor();
  await page.clock.runFor(590);
  assert.ok(await row(page, 'out').isVisible(), 'it opens too soon');
  await page.clock.runFor(20);
  await heading('out').waitFor();
  await page.clock.resume();
  await row(page, 'x.md').hover({ position: { x: 300, y: 100 }, force: true });
  await page.mouse.up();
  await notice(page, 'Moved 1.md to out.').waitFor();
  assert.ok((await listedPaths(workspace, 'out')).includes('out/1.md'));
});

test('a renamed folder keeps its icon, order and privacy', app.options, async (t) => {
  const { workspace, page } = await openedBy(t, { 'a/1.md': '1', 'a/2.md': '2', 'b.md': 'b' });
  await workspace.send('PUT', '/node-icon', { json: { path: 'a', icon: 'rocket' } });
  await workspace.send('PUT', '/node-order', { json: { paths: ['b.md', 'a'] } });
  await workspace.send('PUT', '/node-private', { json: { path: 'a', kind: 'folder', private: true } });
  await page.reload();
  await row(page, 'a').focus();
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename a' });
  await dialog.getByLabel('New name').fill('b.md');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog
    .getByRole('alert')
    .filter({ hasText: 'There is already something called b.md here.' })
    .waitFor();
  await dialog.getByLabel('New name').fill('z');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await notice(page, 'Renamed to z.').waitFor();
  const list = jsonOf(await workspace.query('list'));
  assert.deepEqual(recordOf(list.icons), { z: 'rocket' });
  assert.deepEqual(recordOf(list.orders), { 'b.md': 0, z: 1 });
  assert.deepEqual(list.privatePaths, ['z']);
  assert.deepEqual(await listedPaths(workspace, 'z'), ['z/1.md', 'z/2.md']);
  await notice(page, 'Renamed to z.').getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Renamed to a.').waitFor();
  assert.deepEqual(recordOf(jsonOf(await workspace.query('list')).icons), { a: 'rocket' });
});

test(
  'a file is deleted at once and comes back; a folder asks first, and comes back too',
  app.options,
  async (t) => {
    const { workspace, page } = await openedBy(t, {
      'f/1.md': '1',
      'f/in/2.md': '2',
      'g/only.md': 'o',
      'x.md': 'x',
    });
    await row(page, 'x.md').focus();
    await page.keyboard.press('Delete');
    await notice(page, 'Deleted x.md.').waitFor();
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

    // The last file of a folder leaves the folder.
    await page.goto(`/w/${workspace.id}/d/g`);
    await row(page, 'only.md').focus();
    await page.keyboard.press('Delete');
    await page.getByText('This folder is empty.').waitFor();
    await notice(page, 'Deleted only.md.').waitFor();
    assert.deepEqual(await listedPaths(workspace, 'g'), ['g/.keep']);
  },
);

test('what changed since it was listed is not deleted, unless somebody insists', app.options, async (t) => {
  const { workspace, page } = await openedBy(t, { 'x.md': 'x' });
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

test('a long move can be stopped, and goes on or back', app.options, async (t) => {
  const { workspace, page } = await openedBy(
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

test('files are downloaded, and their link, path and prompt copied', app.options, async (t) => {
  const { workspace, page } = await openedBy(t, { 'notes/plan.md': '# Plan\n' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/w/${workspace.id}/d/notes`);
  let before = '';
  const copy = async (entry: string, said: string) => {
    await chooseIn(page, 'plan.md', entry);
    await notice(page, said).first().waitFor();
    // The notice may be the one before, which says nearly the same.
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

test('an icon, an order, and a folder made private, which others no longer find', app.options, async (t) => {
  const { ada, workspace, page } = await openedBy(t, { 'a/1.md': '1', 'b.md': 'b', 'c.md': 'c' });
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
});

test(
  'a file is found by name and opened with the keyboard; commands stand behind >',
  app.options,
  async (t) => {
    const { page } = await openedBy(t, {
      'notes/2026/quarterly plan.md': '# Plan\n\nThe falcon lands.\n',
      'x.md': 'x',
    });
    await row(page, 'x.md').waitFor();
    await page.keyboard.press('Control+K');
    const dialog = page.getByRole('dialog', { name: 'Find' });
    const field = dialog.getByRole('combobox', { name: 'Find by name or path' });
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
    await field.fill('>new f');
    await dialog
      .getByRole('listbox', { name: 'Commands' })
      .getByRole('option', { name: 'New folder' })
      .waitFor();
    await field.fill('zzzz');
    await dialog.getByText('No file or folder has such a name.').waitFor();
    await field.fill('FALCON');
    await dialog
      .getByRole('listbox', { name: 'In files' })
      .getByRole('option', { name: 'notes/2026/quarterly plan.md, line 3: The falcon lands.' })
      .waitFor();
    await axeClean(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'quarterly plan.md' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  },
);
