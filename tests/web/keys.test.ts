import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

/** Keys of the page, of the focused list or tree, and of open menus and dialogs. */
const app = await useApp();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialogs = (page: Page) => page.getByRole('dialog');

async function atWork(t: Parameters<typeof app.open>[0], files: readonly string[]) {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada, ada.session, 'Engines');
  for (const path of files) assertStatus(await workspace.put(path, `${path}\n`), 201);
  const page = await app.open(t, { as: ada });
  return { workspace, page, home: `/w/${workspace.id}` };
}

const sequences = [
  ['s', 'General'],
  ['a', 'Activity'],
  ['c', 'Conflicts'],
  ['h', 'Engines'],
] as const;

test(
  'a sequence such as g s acts from a list, the tree and the controls of a page',
  app.options,
  async (t) => {
    const { page, home } = await atWork(t, [
      'notes/plan.md',
      'notes/archive.md',
      'notes/steps.md',
      'notes/chart.md',
    ]);
    const locations: readonly (readonly [string, (page: Page) => Locator])[] = [
      ['/d/notes', (shown) => shown.getByRole('row', { name: 'plan.md' })],
      ['/d/notes', (shown) => shown.getByRole('row', { name: 'plan.md' }).getByRole('checkbox')],
      ['/d/notes', (shown) => shown.getByRole('treeitem', { name: 'notes' })],
      ['/d/notes?view=calendar', (shown) => shown.locator('[data-day][tabindex="0"]').first()],
      ['/f/notes/plan.md', (shown) => shown.getByRole('treeitem', { name: 'plan.md' })],
      ['/f/notes/plan.md', (shown) => shown.getByRole('radio', { name: 'Read' })],
    ];
    for (const [address, locationOf] of locations) {
      for (const [key, title] of sequences) {
        await page.goto(home + address);
        const location = locationOf(page);
        await location.focus();
        await focused(location);
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await heading(page, title).waitFor();
        assert.equal(await dialogs(page).count(), 0, `g ${key} at ${address} opened a dialog`);
      }
    }
  },
);

test('sequences do not act in a menu, a dialog or a field', app.options, async (t) => {
  const { page, home } = await atWork(t, ['plan.md']);
  await page.goto(home);
  const row = page.getByRole('row', { name: 'plan.md' });
  const press = async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('a');
  };
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  await press();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });

  // The sequence begins on the page. A menu is open when the second key arrives.
  await row.focus();
  await page.keyboard.press('g');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press();
  await page.keyboard.press('Escape');
  await dialogs(page).waitFor({ state: 'detached' });

  await row.focus();
  await page.keyboard.press('Control+k');
  const find = page.getByRole('combobox', { name: 'Find files, text and commands' });
  await find.waitFor();
  await press();
  assert.equal(await find.inputValue(), 'ga');
  await page.keyboard.press('Escape');
  await dialogs(page).waitFor({ state: 'detached' });
  await heading(page, 'Engines').waitFor();
  assert.equal(new URL(page.url()).pathname, home);
});

test('typing a name in a list or the tree runs no single-key command', app.options, async (t) => {
  const { page, home } = await atWork(t, ['alpha.md', 'essay.md', 'empty.md']);
  await page.goto(home);
  for (const role of ['row', 'treeitem'] as const) {
    const first = page.getByRole(role, { name: 'alpha.md' });
    await first.focus();
    await focused(first);
    await page.keyboard.press('e');
    await page.keyboard.press('s');
    await focused(page.getByRole(role, { name: 'essay.md' }));
    assert.equal(await dialogs(page).count(), 0, role);
  }
});

test('shortcuts act on a keyboard with Cyrillic letters', app.options, async (t) => {
  const { page, home } = await atWork(t, ['plan.md']);
  await page.goto(home);
  const row = page.getByRole('row', { name: 'plan.md' });
  await row.focus();
  await focused(row);
  const press = (key: string, code: string, held: { ctrlKey?: boolean; shiftKey?: boolean } = {}) =>
    page.evaluate(
      ({ key, code, held }) =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...held }),
        ),
      { key, code, held },
    );
  const opens = async (name: string) => {
    await page.getByRole('dialog', { name, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialogs(page).waitFor({ state: 'detached' });
    await row.focus();
    await focused(row);
  };
  await press('л', 'KeyK', { ctrlKey: true });
  await opens('Find');
  await press('т', 'KeyN');
  await opens('New file');
  await press('Т', 'KeyN', { shiftKey: true });
  await opens('New folder');
  await press('ь', 'KeyM');
  await opens('Move plan.md');
  await press('?', 'Digit7', { shiftKey: true });
  await opens('Keyboard shortcuts');
  await press('п', 'KeyG');
  await press('ф', 'KeyA');
  await heading(page, 'Activity').waitFor();
});
