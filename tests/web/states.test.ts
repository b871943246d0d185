import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Request } from 'playwright-core';
import { signUp } from '../support/people.ts';
import { jsonOf, textAt } from '../support/response.ts';
import { atWork, editor, plan, says, textOf } from './support/at-work.ts';
import { axeClean } from './support/axe-clean.ts';
import { holdRequests } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const notWhileOffline = (control: Locator) =>
  control.and(control.page().locator('[aria-disabled="true"][aria-description="You’re offline"]')).waitFor();

async function openedWorkspace(name: string) {
  const person = await signUp(app.client);
  const response = await person.session.send('POST', '/api/workspaces', { json: { name } });
  return { person, workspaceId: textAt(jsonOf(response), 'id') };
}

test(
  'a lost connection is shown, disables controls that need the server, and recovers automatically',
  app.options,
  async (t) => {
    const { person, workspaceId } = await openedWorkspace('Engines');
    await person.session.send('PUT', `/api/workspaces/${workspaceId}/files/first.md`, { body: '# First\n' });
    const page = await app.open(t, { as: person, allowed: { messages: [/ERR_INTERNET_DISCONNECTED/] } });
    await page.goto(`/w/${workspaceId}`);
    const connection = page.getByRole('status', { name: 'Connection' });
    await page.getByRole('heading', { level: 1, name: 'Engines' }).waitFor();
    assert.equal(await connection.textContent(), '');
    // The code of menus loads after the page. It is loaded once a menu was open.
    const workspaceMenu = page.getByRole('button', { name: 'Workspace Engines' });
    await workspaceMenu.click();
    await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
    await page.keyboard.press('Escape');

    await page.context().setOffline(true);
    await connection.filter({ hasText: 'Offline. What you type is kept on this device.' }).waitFor();
    const newThing = page.getByRole('button', { name: 'New', exact: true });
    await notWhileOffline(newThing);
    await workspaceMenu.click();
    await notWhileOffline(page.getByRole('menuitem', { name: 'New workspace' }));
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: 'first.md' });
    await row.getByRole('checkbox').check();
    for (const name of ['Move', 'Make private', 'Delete']) {
      const toolbar = page.getByRole('toolbar', { name: 'Selection' });
      await notWhileOffline(toolbar.getByRole('button', { name, exact: true }));
    }
    await row.focus();
    await page.keyboard.press('Delete');
    await page.getByRole('region', { name: 'Notifications' }).getByText('You’re offline').waitFor();
    assert.equal(await row.count(), 1);
    await axeClean(page);

    await page.context().setOffline(false);
    await connection.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    await person.session.send('PUT', `/api/workspaces/${workspaceId}/files/later.md`, { body: '# Later\n' });
    await page.getByRole('row', { name: 'later.md' }).waitFor();
  },
);

test('the header keeps its controls visible next to the connection status', app.options, async (t) => {
  const { person, workspaceId } = await openedWorkspace('Engines');
  await person.session.send('PUT', `/api/workspaces/${workspaceId}/files/plans/first.md`, {
    body: '# First\n',
  });
  const page = await app.open(t, { as: person, allowed: { messages: [/ERR_INTERNET_DISCONNECTED/] } });
  await page.goto(`/w/${workspaceId}/f/plans/first.md?mode=edit`);
  const editor = page.getByRole('textbox', { name: 'Text of first.md' });
  await editor.waitFor();
  await says(page, 'Saved');
  const connection = page.getByRole('status', { name: 'Connection' });
  const boxOf = async (location: Locator) => {
    const box = await location.boundingBox();
    assert.ok(box !== null);
    return box;
  };
  const stands = async () => {
    const account = await boxOf(page.getByRole('button', { name: 'Account' }));
    assert.ok(account.x + account.width <= 1280, 'the account menu is outside the page');
    const crumbs = await boxOf(page.getByRole('navigation', { name: 'Breadcrumbs' }));
    assert.ok(crumbs.width >= 100, `the breadcrumbs have ${crumbs.width} px`);
    const said = await boxOf(connection);
    assert.ok(said.width <= 1 || crumbs.x + crumbs.width <= said.x, 'the breadcrumbs are covered');
  };
  await page.context().setOffline(true);
  await connection.filter({ hasText: 'Offline. What you type is kept on this device.' }).waitFor();
  await stands();
  assert.ok((await boxOf(connection)).width > 40, 'the offline status is not visible');
  // The save state of the text also says that the app is offline: once is enough.
  await editor.press('ControlOrMeta+End');
  await page.keyboard.type('More.');
  await says(page, 'Offline: kept on this device');
  await stands();
  assert.ok((await boxOf(connection)).width <= 1, 'the page says twice that it is offline');
  await page.context().setOffline(false);
  await says(page, 'Saved');
});

test('pages outside a workspace disable server controls while offline', app.options, async (t) => {
  const person = await signUp(app.client);
  const page = await app.open(t, { as: person, allowed: { messages: [/ERR_INTERNET_DISCONNECTED/] } });
  for (const [address, controls] of [
    ['/account', ['Save', 'Change password', /^Sign out Unknown browser/]],
    ['/account/keys', ['Create key']],
    ['/link?code=ABCD-EFGH', ['Continue']],
  ] as const) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const named = controls.map((name) => page.getByRole('button', { name }).first());
    for (const control of named) await control.waitFor();
    await page.context().setOffline(true);
    await page.getByRole('status', { name: 'Connection' }).getByText('Offline.').waitFor();
    for (const control of named) await notWhileOffline(control);
    await axeClean(page);
    await page.context().setOffline(false);
    for (const control of named) await control.and(page.locator(':not([aria-disabled])')).waitFor();
  }
});

test('menus and dialogs return the focus to the control that opened them', app.options, async (t) => {
  const { person, workspaceId } = await openedWorkspace('Engines');
  const page = await app.open(t, { as: person });
  await page.goto(`/w/${workspaceId}`);
  const menu = page.getByRole('button', { name: 'Workspace Engines' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
  await axeClean(page);
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workspace' });
  await dialog.getByLabel('Name').fill('Second');
  await axeClean(page);
  // Reduced motion stops every animation.
  assert.notEqual(await page.evaluate(moving), 0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  assert.equal(await page.evaluate(moving), 0);
  await page.emulateMedia({ reducedMotion: null });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await focused(menu);

  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByRole('table', { name: 'Everywhere' }).waitFor();
  // The button has the focus and is visible, although the list above it does not fit the screen.
  const close = shortcuts.getByRole('button', { name: 'Close' });
  await focused(close);
  const box = await close.boundingBox();
  assert.ok(box !== null && box.y + box.height <= 800, 'the button with the focus is below the screen');
  await axeClean(page);
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
  await focused(menu);

  // A command's dialog replaces the palette, so the field with the command no longer exists.
  const commands = page.getByRole('dialog', { name: 'Find' });
  const newFile = page.getByRole('dialog', { name: 'New file' });
  await page.keyboard.press('ControlOrMeta+K');
  await commands.getByRole('combobox').fill('>new file');
  await page.keyboard.press('Enter');
  await newFile.waitFor();
  await page.keyboard.press('Escape');
  await newFile.waitFor({ state: 'detached' });
  await focused(menu);

  await menu.click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  await page.getByRole('button', { name: 'Workspace Second' }).click();
  const first = page.getByRole('menuitemradio', { name: 'Engines' });
  assert.equal(await first.getAttribute('aria-checked'), 'false');
  await first.click();
  await page.getByRole('heading', { level: 1, name: 'Engines' }).waitFor();
});

test('an editor that loads late leaves the focus in an open menu or field', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client);
  const page = await app.open(t, { as: ada });
  const texts = await holdRequests(page, '**/files/plan.md*', () => true);
  await page.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
  await page.getByRole('button', { name: 'Actions for plan.md' }).click();
  const rename = page.getByRole('menuitem', { name: 'Rename' });
  await rename.waitFor();
  await texts.release();
  await editor(page).waitFor();
  await rename.click();
  const dialog = page.getByRole('dialog', { name: 'Rename plan.md' });
  await focused(dialog.getByRole('textbox'));
  await page.keyboard.press('Escape');
  await focused(page.getByRole('button', { name: 'Actions for plan.md' }));
  assert.equal(await textOf(workspace), plan);
});

/** The number of elements with an animation, a transition or smooth scrolling. */
function moving(): number {
  const takesTime = (durations: string) => durations.split(', ').some((each) => parseFloat(each) > 0);
  return [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, animationDuration, transitionDuration, scrollBehavior } =
      getComputedStyle(element);
    return (
      (animationName !== 'none' && takesTime(animationDuration)) ||
      takesTime(transitionDuration) ||
      scrollBehavior === 'smooth'
    );
  }).length;
}

test('the navigation remembers width and visibility, and is a drawer on a phone', app.options, async (t) => {
  const { person, workspaceId } = await openedWorkspace('Engines');
  const page = await app.open(t, { as: person });
  await page.goto(`/w/${workspaceId}`);
  const navigation = page.getByRole('navigation', { name: 'Workspace', exact: true });
  await navigation.waitFor();
  const edge = page.getByRole('separator', { name: 'Resize sidebar' });
  await edge.press('End');
  assert.equal(await edge.getAttribute('aria-valuenow'), '480');
  await page.reload();
  assert.equal(await edge.getAttribute('aria-valuenow'), '480');
  await page.keyboard.press('ControlOrMeta+.');
  await navigation.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Show navigation' }).click();
  await navigation.waitFor();

  const phone = await app.open(t, { as: person, screen: 'phone' });
  await phone.goto(`/w/${workspaceId}`);
  await phone.getByRole('button', { name: 'Open navigation' }).click();
  const drawer = phone.getByRole('dialog', { name: 'Navigation' });
  await drawer.getByRole('tree', { name: 'Files' }).waitFor({ state: 'attached' });
  await axeClean(phone);
  await drawer.getByRole('link', { name: 'Settings' }).click();
  await drawer.waitFor({ state: 'detached' });
  await phone.getByRole('heading', { level: 1, name: 'General' }).waitFor();
  const download = phone.getByRole('link', { name: 'Download workspace' });
  assert.equal(await download.getAttribute('href'), `/api/workspaces/${workspaceId}/download`);
  const whole = phone.getByRole('link', { name: 'Export everything' });
  assert.equal(await whole.getAttribute('href'), `/api/workspaces/${workspaceId}/export`);
  await axeClean(phone);
});

test(
  'an idle tab requests only changes: every 25 seconds, and at most twice a minute when hidden',
  app.options,
  async (t) => {
    const { person, workspaceId } = await openedWorkspace('Engines');
    await person.session.send('PUT', `/api/workspaces/${workspaceId}/files/first.md`, { body: '# First\n' });
    const page = await app.open(t, { as: person });
    await page.clock.install();
    const asked: string[] = [];
    let held: (() => void) | null = null;
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (!pathname.startsWith('/api/')) return;
      asked.push(pathname.split('/').at(-1) + (searchParams.has('wait') ? ' held' : ''));
    });
    // The server delays such a request for up to 25 seconds. Here the page's clock decides how long.
    await page.route('**/changes?*wait=*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.delete('wait');
      held = () => void route.fetch({ url: url.href }).then((response) => route.fulfill({ response }));
    });
    // The page's clock does not run: a pause before the next request would never end.
    const isHeld = async () => {
      while (held === null) {
        await page.clock.runFor(50);
        await page.evaluate(() => document.title);
      }
    };
    await page.goto(`/w/${workspaceId}/f/first.md?mode=edit&panel=comments`);
    await page.getByRole('textbox', { name: 'Text of first.md' }).waitFor();
    await page.getByText('No comments. Select some text to begin.').waitFor();
    await isHeld();
    await page.clock.runFor(5000);
    await page.waitForLoadState();
    asked.length = 0;
    for (let round = 0; round < 2; round += 1) {
      await page.clock.runFor(25_000);
      assert.deepEqual(asked, Array(round).fill('changes held'));
      const response: () => void = held ?? (() => assert.fail('the request is not held'));
      held = null;
      response();
      await isHeld();
    }
    assert.deepEqual(asked, ['changes held', 'changes held']);

    const { promise: responded, resolve: over } = Promise.withResolvers<void>();
    const recordEnd = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url());
      const isPoll = pathname.endsWith('/changes') && !searchParams.has('wait') && !searchParams.has('limit');
      if (isPoll) over();
    };
    page.on('requestfinished', recordEnd);
    // A busy browser may report a response that was read to its end as failed.
    page.on('requestfailed', recordEnd);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    // The first request of the hidden tab ends the long poll.
    while (asked.at(-1) !== 'changes') {
      await page.clock.runFor(1000);
      await page.evaluate(() => document.title);
    }
    // The next request is due half a minute after the response.
    await responded;
    asked.length = 0;
    // In steps: a response takes real time, whatever the page's clock says.
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await page.clock.runFor(5000);
      await page.evaluate(() => document.title);
    }
    assert.ok(asked.length > 0 && asked.length <= 2, `${asked.length} requests`);
    assert.ok(asked.every((each) => each === 'changes'));
  },
);
