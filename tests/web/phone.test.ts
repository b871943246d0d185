import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { says } from './support/at-work.ts';
import { axeClean } from './support/axe-clean.ts';
import { standStill } from './support/stand-still.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** The page's clock stops while the finger is down, so that a busy machine does not make it a long press. */
async function tapShortly(page: Page, tap: () => Promise<void>): Promise<void> {
  await standStill(page);
  await tap();
  await page.clock.resume();
}

test('a long press on a file opens its menu, and releasing it opens no file', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('plan.md', 'The plan.\n'), 201);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.clock.install();
  await page.goto(`/w/${workspace.id}`);
  const link = page.getByRole('main').getByRole('link', { name: 'plan.md' });
  const touch = { pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true, cancelable: true };
  const menu = page.getByRole('menu', { name: 'Actions for plan.md' });
  // As in browsers that send no `contextmenu` event.
  await link.dispatchEvent('pointerdown', { ...touch, clientX: 60, clientY: 200 });
  await menu.waitFor();
  // A browser sends a click with the release. That click belongs to the long press.
  await link.evaluate((element, init) => {
    element.dispatchEvent(new PointerEvent('pointerup', init));
    element.dispatchEvent(new PointerEvent('click', init));
  }, touch);
  assert.equal(new URL(page.url()).pathname, `/w/${workspace.id}`);
  assert.ok(await menu.isVisible());
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await tapShortly(page, () => link.tap());
  await page.getByRole('article', { name: 'plan.md' }).waitFor();
});

test('a phone creates, writes, saves and reads a note by touch', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  const page = await app.open(t, {
    as: ada,
    screen: 'phone',
    // The test is offline for a while.
    allowed: { messages: [/net::ERR_INTERNET_DISCONNECTED/] },
  });
  // While a dialog is open the header has no role.
  const banner = page.locator('header');
  /** The header has one line, and the page does not scroll sideways. */
  const fits = async () => {
    const [width, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(Number(width) <= Number(shown), 'the page scrolls sideways');
    const height = (await banner.boundingBox())?.height ?? 0;
    assert.ok(height > 0 && height <= 52, `the header is ${height} px high`);
  };
  await page.clock.install();
  await page.goto(`/w/${workspace.id}`);
  await page.getByRole('main').getByRole('button', { name: 'New', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'New file' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByLabel('Name').fill('notes/plan.md');
  await fits();
  await dialog.getByRole('button', { name: 'Create' }).tap();

  const editor = page.getByRole('textbox', { name: 'Text of plan.md' });
  await editor.waitFor();
  await says(page, 'Saved');
  // Slow typing must not cause a second save.
  await standStill(page);
  await editor.tap();
  await page.keyboard.press('ControlOrMeta+End');
  for (const paragraph of ['The first of them.', 'The second of them.', 'The third of them.']) {
    await page.keyboard.type(`\n${paragraph}\n`);
  }
  await page
    .getByRole('status', { name: 'Save state' })
    .and(page.getByText('Unsaved', { exact: true }))
    .waitFor();
  await page.clock.resume();
  await page.setViewportSize({ width: 320, height: 700 });
  await fits();
  await page.setViewportSize({ width: 390, height: 844 });
  await page
    .getByRole('status', { name: 'Save state' })
    .and(page.getByText('Saved', { exact: true }))
    .waitFor();
  await fits();
  await axeClean(page);

  // The caret stays above the toolbar. The text stays where it is when a save fails.
  await page.keyboard.insertText(Array.from({ length: 40 }, (_, line) => `\nLine ${line}`).join(''));
  const spanOf = async (location: Locator) => {
    const box = await location.boundingBox();
    assert.ok(box !== null);
    return { top: box.y, bottom: box.y + box.height };
  };
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  await page.keyboard.press('ControlOrMeta+Home');
  for (let down = 0; down < 40; down += 1) await page.keyboard.press('ArrowDown');
  const { top: barTop } = await spanOf(toolbar);
  await page.waitForFunction((limit) => {
    const node = getSelection()?.focusNode;
    const line = node instanceof Element ? node : node?.parentElement;
    return line !== null && line !== undefined && line.getBoundingClientRect().bottom <= limit;
  }, barTop);
  // An on-screen keyboard that does not resize the window: the toolbar is above it.
  const coverBy = (height: number) =>
    page.evaluate((height) => {
      const { visualViewport: shown } = window;
      Object.defineProperty(shown, 'height', { value: innerHeight - height, configurable: true });
      shown?.dispatchEvent(new Event('resize'));
    }, height);
  const { bottom: barBottom } = await spanOf(toolbar);
  await coverBy(300);
  assert.equal((await spanOf(toolbar)).bottom, barBottom - 300);
  await coverBy(0);
  assert.equal((await spanOf(toolbar)).bottom, barBottom);
  // At the top no browser scrolls against a shift.
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  await says(page, 'Saved');
  await editor.evaluate((text) => {
    for (let each: Element | null = text; each !== null; each = each.parentElement) each.scrollTop = 0;
  });
  const first = editor.getByText('The first of them.');
  const before = await spanOf(first);
  await page.context().setOffline(true);
  await page.keyboard.type(' of all');
  await says(page, 'Offline: kept on this device');
  assert.deepEqual(await spanOf(first), before);
  const status = page.getByRole('status', { name: 'Save state' });
  assert.ok((await spanOf(status)).bottom <= (await spanOf(toolbar)).top, 'the toolbar covers the state');
  // The page shows only once that it is offline.
  const connection = page.getByRole('status', { name: 'Connection' });
  await connection.filter({ hasText: 'Offline.' }).waitFor();
  const said = await connection.boundingBox();
  assert.ok(said !== null && said.width <= 1 && said.height <= 1, 'the page says twice that it is offline');
  await page.context().setOffline(false);
  await says(page, 'Saved');

  await page.reload();
  await editor.getByText('The third of them.').waitFor();
  await page.getByRole('radio', { name: 'Read' }).tap();
  await page.getByRole('article', { name: 'plan.md' }).getByText('The second of them.').waitFor();
  await fits();
  const touched = (location: Locator, role: 'button' | 'link') => location.getByRole(role).all();
  for (const control of [
    ...(await touched(banner, 'button')),
    ...(await touched(banner, 'link')),
    ...(await page.getByRole('radiogroup', { name: 'Mode' }).locator('label').all()),
  ]) {
    const box = await control.boundingBox();
    assert.ok(box !== null && box.width >= 44 && box.height >= 44, `${control} is too small to hit`);
  }
  const panels = page.getByRole('group', { name: 'Panels' });
  for (const name of ['Comments', 'History', 'Activity', 'Info']) {
    const box = await panels.getByRole('button', { name, exact: true }).boundingBox();
    assert.ok(box !== null && box.width >= 44 && box.height >= 44, `${name} is too small to hit`);
  }
  const top = (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 0;
  const below = await panels.boundingBox();
  assert.ok(
    below !== null && below.y + below.height - top <= 100,
    'the title and controls of the file take more than two lines',
  );
  await panels.getByRole('button', { name: 'History' }).tap();
  const history = page.getByRole('dialog', { name: 'History' });
  await history.getByRole('listitem', { name: 'Version 1' }).waitFor();
  await history.getByRole('button', { name: 'Close panel' }).tap();
  await history.waitFor({ state: 'detached' });

  // A name can be tapped over the full height of its row.
  await banner.getByRole('link', { name: 'plan.md' }).waitFor();
  await page.goto(`/w/${workspace.id}/d/notes`);
  // A menu next to the name does not move the heading: every page begins at the same height.
  const folder = page.getByRole('heading', { level: 1, name: 'notes' });
  assert.equal((await folder.boundingBox())?.y, top);
  const row = page.getByRole('row', { name: 'plan.md' });
  const name = await row.getByRole('link', { name: 'plan.md' }).boundingBox();
  const edges = await row.boundingBox();
  assert.ok(name !== null && edges !== null);
  await tapShortly(page, () => page.touchscreen.tap(name.x + 4, edges.y + edges.height - 6));
  await page.getByRole('heading', { level: 1, name: 'plan.md' }).waitFor();

  const versions = recordsAt(
    jsonOf(await workspace.query('versions', { path: 'notes/plan.md' })),
    'versions',
  );
  assert.ok(versions.length <= 4, `${versions.length} versions`);
  const changes = await workspace.changes();
  assert.deepEqual(
    changes.filter(({ op }) => op === 'conflict'),
    [],
  );
});

test('a phone shows the whole name in the header and all pages of the settings', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  const name = 'minutes of the second meeting.md';
  assertStatus(await workspace.put(name, 'Text.\n', { ifNoneMatch: '*' }), 201);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.goto(`/w/${workspace.id}/f/${encodeURIComponent(name)}?mode=edit`);
  await says(page, 'Saved');
  const crumb = await page
    .getByRole('navigation', { name: 'Breadcrumbs' })
    .getByRole('link', { name })
    .boundingBox();
  const state = await page.getByRole('status', { name: 'Save state' }).boundingBox();
  assert.ok(
    crumb !== null && state !== null && crumb.x + crumb.width <= state.x,
    'the save state covers the name',
  );

  await page.goto(`/w/${workspace.id}/settings`);
  const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await links.filter({ hasText: 'Audit log' }).waitFor();
  for (const link of await links.all()) {
    const box = await link.boundingBox();
    assert.ok(
      box !== null && box.x >= 0 && box.x + box.width <= 390,
      `${await link.innerText()} is outside the screen`,
    );
  }
});
