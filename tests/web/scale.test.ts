import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { fillWorkspace, type PathOfNumber } from '../support/fill-workspace.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { focused } from './support/keyboard.ts';
import { useOwnApp } from './support/use-app.ts';

const app = await useOwnApp();
/** Rows visible at this size of the window, and as many again outside it. */
const rowsMax = 80;
const wheelRounds = 20;

async function filled(t: TestContext, count: number, paths: PathOfNumber) {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assert.equal((await workspace.put('first.md', '# First\n')).status, 201);
  await fillWorkspace(app.service.home, workspace.id, { copyOf: 'first.md', count, paths });
  const page = await app.open(t, { as: ada });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/workspaces/')) asked.push(pathname.split('/').slice(4).join('/') + search);
  });
  return { workspace, page, asked };
}

async function mainThread(page: Page): Promise<{ read(): Promise<number> }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  return { read };
}

test(
  'lists, scrolls, selects and finds 10,000 files in one folder with few rows in the document',
  app.options,
  async (t) => {
    const { page, workspace, asked } = await filled(t, 10_000, "'note ' || n || '.md'");
    const cpu = await mainThread(page);
    await page.goto(`/w/${workspace.id}`);
    const grid = page.getByRole('grid', { name: 'Contents of Workspace' });
    const row = (name: string) => grid.getByRole('row', { name, exact: true });
    await row('note 0.md').waitFor();
    t.diagnostic(`main thread until the first rows: ${Math.round(await cpu.read())} ms`);
    const lists = asked.filter((each) => each.startsWith('list'));
    assert.deepEqual(lists, ['list?details=1'], 'the page loads the list more than once');
    assert.equal(await grid.getAttribute('aria-rowcount'), '10002');
    const fewRows = async () => {
      const rows = await grid.getByRole('row').count();
      const items = await page.getByRole('treeitem').count();
      assert.ok(rows > 10 && rows <= rowsMax && items <= rowsMax, `${rows} rows, ${items} items of the tree`);
    };
    await fewRows();

    const before = await cpu.read();
    await row('note 0.md').hover();
    for (let round = 0; round < wheelRounds; round += 1) await page.mouse.wheel(0, 1000);
    await row('note 620.md').waitFor();
    t.diagnostic(`main thread while scrolling over 620 rows: ${Math.round((await cpu.read()) - before)} ms`);
    await fewRows();

    // To the end by keyboard, with the focus, and back.
    await row('first.md').focus();
    await page.keyboard.press('End');
    await row('note 9999.md').waitFor();
    await focused(row('note 9999.md'));
    await fewRows();
    await page.keyboard.press('Home');
    await page.keyboard.press('ControlOrMeta+A');
    const selection = page.getByRole('toolbar', { name: 'Selection' });
    await selection.getByText('10,001 selected').waitFor();
    await selection.getByRole('button', { name: 'Delete' }).click();
    const asks = page.getByRole('alertdialog', { name: 'Delete 10,001 items?' });
    await asks.getByText('10,001 files will be deleted.').waitFor();
    await asks.getByRole('button', { name: 'Cancel' }).click();
    await selection.getByRole('button', { name: 'Clear selection' }).click();
    await selection.waitFor({ state: 'detached' });

    const tree = page.getByRole('tree', { name: 'Files' });
    await tree.getByRole('treeitem', { name: 'first.md' }).focus();
    await page.keyboard.press('End');
    const last = tree.getByRole('treeitem', { name: 'note 9999.md' });
    await focused(last);
    assert.equal(await last.getAttribute('aria-setsize'), '10001');

    // The page requests an added file alone, and not the whole list.
    asked.length = 0;
    assert.equal((await workspace.put('a new one.md', '# New\n')).status, 201);
    await page.keyboard.press('Home');
    await tree.getByRole('treeitem', { name: 'a new one.md' }).waitFor();
    assert.deepEqual(
      asked.filter((each) => each.startsWith('list')),
      ['list?prefix=a+new+one.md&details=1'],
    );

    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.type('77');
    await page.getByText(/^[\d,]+ more\. Keep typing to narrow it down\.$/).waitFor();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'note 777.md' }).waitFor();

    // Sorting by size changes the order of all files.
    await page.goto(`/w/${workspace.id}?sort=size`);
    await row('first.md').waitFor();
    await fewRows();
  },
);

test('lists 1,000 folders with 100,000 files and opens each of them', app.options, async (t) => {
  const { page, workspace, asked } = await filled(
    t,
    100_000,
    "'folder ' || (n % 1000) || '/note ' || n || '.md'",
  );
  const cpu = await mainThread(page);
  await page.goto(`/w/${workspace.id}`);
  const grid = page.getByRole('grid');
  await grid.getByRole('row', { name: 'folder 0', exact: true }).waitFor();
  t.diagnostic(`main thread until the first rows: ${Math.round(await cpu.read())} ms`);
  assert.equal(await grid.getAttribute('aria-rowcount'), '1002');
  assert.equal(asked.filter((each) => each.startsWith('list')).length, 1);
  await grid.getByRole('row', { name: 'folder 0', exact: true }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'folder 0' }).waitFor();
  await grid.getByRole('row', { name: 'note 0.md' }).waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '101');
  assert.equal(asked.filter((each) => each.startsWith('list')).length, 1, 'opening a folder loads a list');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('54');
  await page.getByRole('dialog', { name: 'Find' }).waitFor();
  await page.keyboard.type('321');
  await page.getByRole('option', { name: 'folder 321/note 54321.md' }).waitFor();
  await axeClean(page);
});
