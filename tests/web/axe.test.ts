import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type Demo, fillWorkspace, locations } from '../../demo/fill-workspace.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';
import { signInOnPage } from './support/accounts.ts';
import { axeClean, contrastClean } from './support/axe-clean.ts';
import { goTo } from './support/go-to.ts';
import { chooseFromMenu, focused, hasFocus, press, stepTo, tabTo } from './support/keyboard.ts';
import { smallTargets } from './support/touch-targets.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

// The demo workspace has an agent, comments, a conflict, links and a private item.
let filled: Promise<Demo> | undefined;
/** The first page signs in. The other tests reuse its session. */
let signedIn: BrowserContextOptions['storageState'] | undefined;

const allowed = { messages: [/status of 40[134]/] };
/** During a transition axe would measure an intermediate colour. */
const still = { reducedMotion: 'reduce' } as const;

async function opened(t: TestContext, screen: 'desk' | 'phone' = 'desk') {
  filled ??= fillWorkspace(app.url, new Date(), 'axe.example');
  const demo = await filled;
  const options = { ...still, ...(signedIn === undefined ? {} : { storageState: signedIn }) };
  const page = await app.open(t, { screen, allowed, options });
  if (signedIn === undefined) {
    await signInOnPage(page, demo.people[0], '/account');
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    signedIn = await page.context().storageState();
  }
  return { page, demo, at: (rest: string) => `/w/${demo.workspaceId}${rest}` };
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Every screen by its address, and an element that is there once it is shown. */
const screens: readonly { readonly path: string; readonly shows: (page: Page) => Locator }[] = [
  {
    path: '',
    shows: (page) => page.getByRole('article', { name: 'README.md' }).getByRole('listitem').first(),
  },
  { path: '/d/plans', shows: (page) => page.getByRole('row', { name: 'press-release.md' }) },
  {
    path: '/d/calendar?view=calendar',
    shows: (page) =>
      page
        .getByRole('gridcell', { name: /, \d{4}$/ })
        .getByRole('link')
        .first(),
  },
  { path: `/f/${locations.plan}`, shows: (page) => page.getByRole('table', { name: 'Front matter' }) },
  {
    path: `/f/${locations.plan}?panel=comments`,
    shows: (page) => page.getByRole('article', { name: /^Comment on/ }).first(),
  },
  {
    path: `/f/${locations.plan}?mode=edit`,
    shows: (page) => page.getByRole('textbox', { name: 'Text of opening-day.md' }),
  },
  {
    path: `/f/${locations.plan}?panel=history`,
    shows: (page) => page.getByRole('listitem', { name: 'Version 4' }),
  },
  {
    path: `/f/${locations.plan}?panel=activity`,
    shows: (page) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first(),
  },
  { path: `/f/${locations.plan}?panel=info`, shows: (page) => page.getByText('Content hash') },
  {
    path: `/f/${locations.plan}?panel=history&v=2`,
    shows: (page) => page.getByRole('region', { name: 'Earlier version' }).getByRole('article'),
  },
  {
    path: `/f/${locations.plan}?panel=history&compare=1..4`,
    shows: (page) => page.getByRole('button', { name: 'Close comparison' }),
  },
  {
    path: `/f/${locations.passwordLink}`,
    shows: (page) => page.getByRole('table', { name: 'Rows of budget.csv' }),
  },
  { path: '/f/pictures/floor-plan.png', shows: (page) => page.getByRole('img', { name: 'floor-plan.png' }) },
  { path: '/f/none.md', shows: (page) => page.getByRole('heading', { name: 'Not found' }) },
  {
    path: '/activity',
    shows: (page) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first(),
  },
  { path: '/conflicts', shows: (page) => button(page, 'Compare and merge') },
  {
    path: '/find?q=opening+day+type:md',
    shows: (page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem').first(),
  },
  { path: '/find', shows: (page) => page.getByRole('region', { name: 'How to search' }) },
  { path: '/settings', shows: (page) => page.getByRole('form', { name: 'General' }) },
  { path: '/settings/appearance', shows: (page) => page.getByRole('textbox', { name: 'Theme CSS' }) },
  { path: '/settings/members', shows: (page) => page.getByRole('table', { name: 'Invites' }) },
  { path: '/settings/links', shows: (page) => page.getByRole('table', { name: 'Share links' }) },
  { path: '/settings/usage', shows: (page) => page.getByRole('table', { name: 'Largest files' }) },
  { path: '/settings/audit', shows: (page) => page.getByRole('table', { name: 'Audit log' }) },
];
/** Screens to check in each theme: together they have nearly all elements. */
const inAllThemes = [
  '',
  `/f/${locations.plan}?panel=comments`,
  `/f/${locations.plan}?panel=history&compare=1..4`,
  '/find?q=opening+day+type:md',
  '/settings/members',
];
const otherThemes = ['dark', 'dracula', 'nord', 'solarized-light', 'rose-pine', 'service'];

test('every screen of a workspace passes the accessibility rules', app.options, async (t) => {
  const { page, at } = await opened(t);
  await page.goto(at(''));
  for (const { path, shows } of screens) {
    await goTo(page, at(path));
    await shows(page).waitFor();
    assert.equal(await heading(page).count(), 1, `${path}: one heading of the first level`);
    await axeClean(page);
  }
});

test('screens of a workspace have enough contrast in every theme', app.options, async (t) => {
  const { page, at } = await opened(t);
  await page.goto(at(''));
  for (const { path, shows } of screens.filter(({ path }) => inAllThemes.includes(path))) {
    await goTo(page, at(path));
    await shows(page).waitFor();
    // Muted text must also be legible in a selected row.
    if (path === '') await page.getByRole('checkbox', { name: 'Select notes' }).check();
    for (const theme of otherThemes) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      await contrastClean(page);
    }
  }
});

test(
  'dialogs and menus pass the accessibility rules, open by keyboard, and return the focus',
  app.options,
  async (t) => {
    const { page, demo, at } = await opened(t);
    const rowNamed = (name: string) => page.getByRole('row', { name, exact: true });
    const keys =
      (...pressed: string[]) =>
      async () => {
        for (const key of pressed) await page.keyboard.press(key);
      };
    /** Goes to a row by the arrow keys, from the row that Tab reaches. */
    const goToRow = async (name: string) => {
      await tabTo(page, page.locator('[role="grid"] [role="row"][tabindex="0"]'));
      await page.keyboard.press('Home');
      for (let steps = 0; steps < 10 && !(await hasFocus(rowNamed(name))); steps += 1) {
        await page.keyboard.press('ArrowDown');
      }
      await focused(rowNamed(name));
    };
    const isInside = (dialog: Locator) =>
      dialog.evaluate((element) => element.contains(document.activeElement));
    /** Opens a dialog, moves through it by Tab, closes it by Escape, and expects the former focus. */
    const walk = async (
      name: string,
      open: () => Promise<unknown>,
      { role = 'dialog', closes = true }: { role?: 'dialog' | 'alertdialog'; closes?: boolean } = {},
    ) => {
      await open();
      const dialog = page.getByRole(role, { name, exact: true });
      await dialog.waitFor();
      await dialog.locator(':focus').first().waitFor();
      await axeClean(page);
      for (let stops = 0; stops < 8; stops += 1) {
        await page.keyboard.press('Tab');
        assert.ok(await isInside(dialog), `${name}: the focus stays in it`);
      }
      if (!closes) return;
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // The focus returns a moment after the dialog closes. The body alone would be a lost focus.
      await page.locator('body :focus').first().waitFor();
    };
    const walkMenu = async (opener: Locator, name: string | null) => {
      await press(page, opener);
      const menu = name === null ? page.getByRole('menu') : page.getByRole('menu', { name, exact: true });
      await menu.waitFor();
      await axeClean(page);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await focused(opener);
    };

    page.on('filechooser', (chooser) =>
      chooser.setFiles([{ name: 'budget.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n') }]),
    );
    await page.goto(at('/d/plans'));
    await rowNamed('press-release.md').waitFor();
    await walkMenu(button(page, 'Workspace Harbour House'), null);
    await walk('New workspace', () =>
      chooseFromMenu(page, button(page, 'Workspace Harbour House'), 'New workspace'),
    );
    await walkMenu(button(page, 'Account'), null);
    await walk('Keyboard shortcuts', () =>
      chooseFromMenu(page, button(page, 'Account'), 'Keyboard shortcuts'),
    );
    await walkMenu(button(page, 'New'), null);
    await walk('New file', () => chooseFromMenu(page, button(page, 'New'), 'New file'));
    await walk('New folder', () => chooseFromMenu(page, button(page, 'New'), 'New folder'));
    await walk('Find', keys('ControlOrMeta+k'));
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Find files, text and commands' }).fill('opening');
    await page.getByRole('option', { name: locations.plan, exact: true }).waitFor();
    await axeClean(page);
    await page.getByRole('combobox', { name: 'Find files, text and commands' }).fill('>');
    await page.getByRole('listbox', { name: 'Commands' }).getByRole('option').first().waitFor();
    await axeClean(page);
    await page.keyboard.press('Escape');

    await goToRow('press-release.md');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Actions for press-release.md', exact: true }).waitFor();
    await axeClean(page);
    await page.keyboard.press('Escape');
    await focused(rowNamed('press-release.md'));
    await walk('Rename press-release.md', keys('F2'));
    await walk('Move press-release.md', keys('m'));
    await walk('Share press-release.md', keys('s'));
    await walk('Icon for press-release.md', () =>
      chooseFromMenu(page, button(page, 'Actions for press-release.md'), 'Set icon'),
    );
    await goToRow('budget.csv');
    await walk('Make budget.csv private?', keys('p'), { role: 'alertdialog' });
    await goToRow('budget.csv');
    await page.keyboard.press('Space');
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
    await axeClean(page);
    await page.keyboard.press('Shift+ArrowDown');
    await walk('Delete 2 items?', keys('Delete'), { role: 'alertdialog' });
    await page.keyboard.press('u');
    await walk('budget.csv is already here', async () => undefined);
    await page.getByRole('region', { name: 'Uploads' }).waitFor();
    await axeClean(page);

    await goTo(page, at('/d/calendar?view=calendar'));
    const note = page.getByRole('grid').getByRole('link').first();
    await note.waitFor();
    await note.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    await axeClean(page);
    const changeDate = page.getByRole('menuitem', { name: 'Change date', exact: true });
    await stepTo(page, changeDate);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^Change date of/ }).waitFor();
    await axeClean(page);
    await page.keyboard.press('Escape');

    await goTo(page, at('/settings/members'));
    await walk('Create invite link', () => press(page, button(page, 'Create invite link')));
    await walk('Remove Ben?', () => press(page, button(page, 'Remove Ben')), { role: 'alertdialog' });
    await goTo(page, at('/conflicts'));
    await walk('Compare and merge opening-day.md', () => press(page, button(page, 'Compare and merge')), {
      closes: false,
    });
    await page.goto('/account/keys');
    await walk('Create key', () => press(page, button(page, 'Create key')));
    await press(page, button(page, 'Create key'));
    await focused(page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name'));
    await page.keyboard.type('Second');
    await press(page, button(page, 'Create'));
    await walk('Key created', async () => undefined, { closes: false });
    await walk('Have you stored the key?', keys('Escape'), { role: 'alertdialog', closes: false });
    await press(page, button(page, 'Done').last());
    await walk('Revoke Scribe?', () => press(page, button(page, 'Revoke Scribe')), { role: 'alertdialog' });
    assert.ok(demo.agentKey.length > 0);
  },
);

test('a file can be commented on and searched by keyboard', app.options, async (t) => {
  const { page, at } = await opened(t);
  await page.goto(at(`/f/${locations.publicLink}`));
  await page.getByRole('article', { name: 'volunteers.md' }).getByText('Come at nine.').selectText();
  await page.keyboard.press('ControlOrMeta+Alt+m');
  await page.getByRole('form', { name: 'New comment' }).waitFor();
  await axeClean(page);
  await goTo(page, at(`/f/${locations.publicLink}?mode=edit`));
  const text = page.getByRole('textbox', { name: 'Text of volunteers.md' });
  await tabTo(page, text);
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('search', { name: 'Find in file' }).waitFor();
  await axeClean(page);
});

test('pages outside a workspace and of share links pass the rules', app.options, async (t) => {
  const { page, demo, at } = await opened(t);
  const listed = await page.request.get(`/api/workspaces/${demo.workspaceId}/shares`);
  const shares = recordOf(await listed.json());
  const linkTo = (path: string) => {
    const share = recordsAt(shares, 'shares').find((each) => each.path === path);
    assert.ok(share !== undefined, path);
    return new URL(textAt(share, share.url === null ? 'memberUrl' : 'url')).pathname;
  };
  const stranger = await app.open(t, { allowed, options: still });
  await page.goto('/account');
  await stranger.goto('/signin');
  for (const [visitor, address, title] of [
    [page, '/account', 'Profile'],
    [page, '/account/keys', 'API keys'],
    [page, at('x'), 'Not found'],
    [page, '/link?code=ABCD-EFGH', 'Link a device'],
    [page, '/nowhere', 'Not found'],
    [stranger, '/signin', 'Sign in'],
    [stranger, '/signup', 'Create your account'],
    [stranger, '/invite/nothing', 'Invite not available'],
  ] as const) {
    await goTo(visitor, address);
    await heading(visitor).filter({ hasText: title }).waitFor();
    await axeClean(visitor);
  }
  // Pages of the server itself.
  for (const [visitor, address] of [
    [page, linkTo(locations.memberLink)],
    [stranger, linkTo(locations.publicLink)],
    [stranger, linkTo(locations.passwordLink)],
    [stranger, linkTo(locations.memberLink)],
    [stranger, '/s/nothing'],
  ] as const) {
    await visitor.goto(address);
    await heading(visitor).first().waitFor();
    await axeClean(visitor);
  }
});

test('the phone layout passes the accessibility rules', app.options, async (t) => {
  const { page, at } = await opened(t, 'phone');
  await page.goto(at(''));
  for (const { path, shows } of screens.slice(0, 5)) {
    await goTo(page, at(path));
    await shows(page).waitFor({ state: 'attached' });
    await axeClean(page);
  }
  await page.getByRole('dialog', { name: 'Comments' }).waitFor();
});

test('all controls on a phone are large enough for touch', app.options, async (t) => {
  const { page, at } = await opened(t, 'phone');
  const small: Record<string, readonly string[]> = {};
  const look = async (location: string) => {
    const found = await smallTargets(page);
    if (found.length > 0) small[location] = found;
  };
  await page.goto(at(''));
  for (const { path, shows } of screens) {
    // A panel is a dialog on a phone: no control below it can be tapped.
    await goTo(page, at(path.replace(/panel=history&(?=v|compare)/, '')));
    await shows(page).waitFor({ state: 'attached' });
    await look(path);
  }
  for (const path of ['/account', '/account/keys', '/link?code=ABCD-EFGH', '/nowhere']) {
    await page.goto(path);
    await heading(page).first().waitFor();
    await look(path);
  }
  await page.goto(at('/d/plans'));
  const open: readonly (readonly [string, string | null])[] = [
    ['Actions for press-release.md', 'Move'],
    ['Actions for press-release.md', 'Set icon'],
    ['New', 'New folder'],
    ['Find', null],
    ['Open navigation', null],
  ];
  for (const [opener, item] of open) {
    await page.locator('body').getByRole('button', { name: opener, exact: true }).tap();
    if (item !== null) {
      await look(`menu ${opener}`);
      await page.getByRole('menuitem', { name: item, exact: true }).tap();
    }
    const dialog = page.getByRole('dialog');
    await dialog.locator(':focus').first().waitFor();
    await look(item ?? opener);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await goTo(page, at(`/f/${locations.publicLink}`));
  await heading(page).filter({ hasText: 'volunteers.md' }).waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).tap();
  await page.getByRole('dialog').getByRole('listitem', { name: 'Public link' }).waitFor();
  await look('Share');
  assert.deepEqual(small, {});
});
