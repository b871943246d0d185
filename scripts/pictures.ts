/**
 * Takes pictures of the app's screens with the demo workspace for visual review: light and dark, at the width of a desk
 * and of a phone.
 *
 *   npm run pictures                       all of them, into ./pictures.
 *   npm run pictures -- folder keys-dark   only files whose name contains one of the words.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Demo, fillWorkspace, locations } from '../demo/fill-workspace.ts';
import { findWholeChromium, openChromium } from '../tests/support/chromium.ts';
import { startService } from '../tests/support/service-process.ts';
import { buildWeb } from './building/build-web.ts';

interface Screen {
  readonly name: string;
  readonly address: (workspace: string) => string;
  /** Opened without a session. */
  readonly isForeign?: true;
  /** Exists on narrow screens only. */
  readonly isNarrow?: true;
  /** Brings the page into the state of the picture, and waits for it. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const plan = (workspace: string) => `${workspace}/f/${locations.plan}`;
const top = (workspace: string) => workspace;
const plans = (workspace: string) => `${workspace}/d/plans`;

const button = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();
const command = (of: string, item: string) => async (page: Page) => {
  await button(`Actions for ${of}`)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const dialog = (act: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await act(page);
  await page.getByRole('dialog').waitFor();
};
/** Follows a shared link as a visitor without an account. */
const followed = (path: string) => async (page: Page) => {
  const link = links.get(path);
  if (link === undefined) throw new Error(`there is no link to ${path}`);
  await page.goto(new URL(link).pathname);
};

const screens: readonly Screen[] = [
  { name: 'sign-in', address: () => '/signin', isForeign: true },
  { name: 'sign-up', address: () => '/signup', isForeign: true },
  { name: 'not-found', address: () => '/nowhere' },
  { name: 'no-file', address: (workspace) => `${workspace}/f/no-such.md` },
  { name: 'top-folder', address: top },
  { name: 'folder', address: plans },
  { name: 'reading', address: plan, act: (page) => page.getByRole('article').first().waitFor() },
  { name: 'comments', address: (workspace) => `${plan(workspace)}?panel=comments` },
  { name: 'editing', address: (workspace) => `${plan(workspace)}?mode=edit` },
  { name: 'history', address: (workspace) => `${plan(workspace)}?panel=history` },
  { name: 'file-activity', address: (workspace) => `${plan(workspace)}?panel=activity` },
  { name: 'info', address: (workspace) => `${plan(workspace)}?panel=info` },
  { name: 'earlier-version', address: (workspace) => `${plan(workspace)}?panel=history&v=2` },
  { name: 'comparison', address: (workspace) => `${plan(workspace)}?panel=history&compare=1..4` },
  { name: 'new-comment', address: plan, act: beginComment },
  { name: 'table', address: (workspace) => `${workspace}/f/plans/budget.csv` },
  { name: 'calendar', address: (workspace) => `${workspace}/d/calendar?view=calendar` },
  { name: 'activity', address: (workspace) => `${workspace}/activity` },
  { name: 'conflicts', address: (workspace) => `${workspace}/conflicts` },
  { name: 'general', address: (workspace) => `${workspace}/settings` },
  { name: 'appearance', address: (workspace) => `${workspace}/settings/appearance` },
  { name: 'members', address: (workspace) => `${workspace}/settings/members` },
  { name: 'links', address: (workspace) => `${workspace}/settings/links` },
  { name: 'usage', address: (workspace) => `${workspace}/settings/usage` },
  { name: 'audit', address: (workspace) => `${workspace}/settings/audit` },
  { name: 'exports', address: (workspace) => `${workspace}/settings`, act: scrollDown },
  { name: 'profile', address: () => '/account' },
  { name: 'keys', address: () => '/account/keys' },
  { name: 'device', address: () => '/link?code=ABCD-EFGH' },
  { name: 'no-invite', address: () => '/invite/nothing' },

  { name: 'menu-workspace', address: top, act: button('Workspace Harbour House') },
  { name: 'menu-new', address: top, act: button('New') },
  { name: 'menu-copy', address: plan, act: button('Copy') },
  { name: 'menu-account', address: top, act: button('Account') },
  { name: 'menu-row', address: plans, act: button('Actions for opening-day.md') },
  {
    name: 'selection',
    address: plans,
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select budget.csv' }).check();
      await page.getByRole('checkbox', { name: 'Select press-release.md' }).check();
    },
  },
  { name: 'find', address: top, act: dialog((page) => page.keyboard.press('ControlOrMeta+k')) },
  {
    name: 'find-commands',
    address: plans,
    act: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').getByRole('combobox').fill('>');
    },
  },
  { name: 'shortcuts', address: top, act: (page) => page.keyboard.press('?') },
  { name: 'dialog-new-file', address: plans, act: (page) => page.keyboard.press('n') },
  { name: 'dialog-new-folder', address: plans, act: (page) => page.keyboard.press('Shift+N') },
  { name: 'dialog-rename', address: plans, act: command('press-release.md', 'Rename') },
  { name: 'dialog-move', address: plans, act: command('press-release.md', 'Move') },
  { name: 'dialog-icon', address: plans, act: command('press-release.md', 'Set icon') },
  { name: 'dialog-delete', address: top, act: command('notes', 'Delete') },
  { name: 'dialog-undo', address: (workspace) => `${workspace}/activity`, act: previewUndo },
  {
    name: 'dialog-share-public',
    address: plan,
    act: async (page) => {
      await button('Share')(page);
      await page.getByRole('radio', { name: 'Anyone with the link' }).check();
    },
  },
  { name: 'dialog-workspace', address: top, act: openNewWorkspace },
  {
    name: 'dialog-invite',
    address: (workspace) => `${workspace}/settings/members`,
    act: button('Create invite link'),
  },
  { name: 'dialog-key', address: () => '/account/keys', act: button('Create key') },
  {
    name: 'dialog-compare',
    address: (workspace) => `${workspace}/conflicts`,
    act: button('Compare and merge'),
  },
  { name: 'dialog-share', address: plan, act: button('Share') },
  {
    name: 'dialog-share-links',
    address: (workspace) => `${workspace}/f/${locations.publicLink}`,
    act: button('Share'),
  },
  {
    name: 'dialog-invite-made',
    address: (workspace) => `${workspace}/settings/members`,
    act: async (page) => {
      await button('Create invite link')(page);
      await button('Create link')(page);
      await page.getByRole('textbox', { name: 'Invite link' }).waitFor();
    },
  },
  {
    name: 'dialog-key-made',
    address: () => '/account/keys',
    act: async (page) => {
      await button('Create key')(page);
      await page.getByRole('dialog').getByLabel('Name').fill('Claude');
      await button('Create')(page);
      await page.getByRole('textbox', { name: 'API key' }).waitFor();
    },
  },
  { name: 'dialog-name-taken', address: plans, act: uploadTaken },
  {
    name: 'dialog-change-date',
    address: (workspace) => `${workspace}/d/calendar?view=calendar`,
    act: async (page) => {
      await page.getByRole('gridcell').getByRole('link').first().click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Change date' }).click();
    },
  },
  { name: 'dialog-sign-in', address: plans, act: endSession },
  { name: 'device-review', address: () => '/link', act: reviewDevice },
  { name: 'navigation', address: plan, isNarrow: true, act: button('Open navigation') },
  { name: 'empty-folder', address: top, act: makeFolder },

  { name: 'shared-file', address: () => '/signin', isForeign: true, act: followed(locations.publicLink) },
  {
    name: 'shared-password',
    address: () => '/signin',
    isForeign: true,
    act: followed(locations.passwordLink),
  },
  { name: 'shared-sign-in', address: () => '/signin', isForeign: true, act: followed(locations.memberLink) },
  { name: 'shared-folder', address: () => '/account', act: followed(locations.memberLink) },
  {
    name: 'shared-nothing',
    address: () => '/signin',
    isForeign: true,
    act: (page) => page.goto('/s/nothing'),
  },

  // These leave state behind: an unsaved text, and a view that stays selected.
  {
    name: 'conflict-bar',
    address: (workspace) => `${workspace}/f/${locations.publicLink}?mode=edit`,
    act: loseRace,
  },
  { name: 'offline', address: (workspace) => `${plan(workspace)}?mode=edit`, act: goOffline },
  { name: 'writers-reading', address: plan, act: showWriters },
];

/** Scrolls to the content below the first screen. */
async function scrollDown(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Export everything' }).scrollIntoViewIfNeeded();
}

async function showWriters(page: Page): Promise<void> {
  await button('Actions for opening-day.md')(page);
  await page.getByRole('menuitemcheckbox', { name: 'Who wrote what' }).click();
  await page.getByRole('region', { name: 'Who wrote what' }).waitFor();
}

async function beginComment(page: Page): Promise<void> {
  await page.getByText('We print 500 booklets.').first().selectText();
  await button('Add comment')(page);
}

/** Another user changes the text that is being edited here. */
async function loseRace(page: Page): Promise<void> {
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  const address = `/api/workspaces/${demo.workspaceId}/files/${locations.publicLink}`;
  const { headers, text } = await page.request.get(address).then(async (response) => ({
    headers: response.headers(),
    text: await response.text(),
  }));
  await page.route('**/files/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await editor.press('ControlOrMeta+End');
  await editor.pressSequentially(' It shows every door.');
  const data = `${text.trimEnd()} Ask Ben for a copy.\n`;
  await page.request.put(address, {
    data,
    headers: { 'if-match': String(headers.etag), origin: service.url, 'content-type': 'text/markdown' },
  });
  await page.getByRole('region', { name: 'Conflict' }).waitFor();
}

async function goOffline(page: Page): Promise<void> {
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  await editor.waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await editor.press('ControlOrMeta+End');
  await editor.pressSequentially('More is to come.');
  await page.getByRole('status', { name: 'Connection' }).getByText('Offline').waitFor({ timeout: 60_000 });
}

async function previewUndo(page: Page): Promise<void> {
  // The item of a day has the same words later in its text.
  const change = page.getByRole('listitem').filter({ hasText: /^Scribe \(agent\) saved/ });
  await change.getByRole('button').last().click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('dialog').waitFor();
}

async function openNewWorkspace(page: Page): Promise<void> {
  await button('Workspace Harbour House')(page);
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
}

/** Uploads a file whose name is taken, so that the app asks. */
async function uploadTaken(page: Page): Promise<void> {
  await button('New')(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Upload files' }).click();
  const files = ['opening-day.md', 'press-release.md'];
  await (await chooser).setFiles(
    files.map((name) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(`# Another ${name}\n`) })),
  );
  await page.getByRole('dialog').waitFor();
}

/** Shows the page after the session has ended: its next request is rejected. */
async function endSession(page: Page): Promise<void> {
  await page.route('**/files/**', (route) => route.fulfill({ status: 401, json: { message: 'Signed out' } }));
  await page.getByRole('row').getByRole('link', { name: 'press-release.md' }).click();
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
}

/** Opens the page for a device that requests a key. */
async function reviewDevice(page: Page): Promise<void> {
  const asked = await page.request.post('/api/device/code', {
    headers: { 'user-agent': 'stoa-cli/1.0 (Linux)' },
  });
  await page.getByLabel('Code').fill((await asked.json()).user_code);
  await button('Continue')(page);
  await page.getByText('Approve only if your device shows this code.').waitFor();
}

/** Makes a folder that is gone again for the next picture. */
async function makeFolder(page: Page): Promise<void> {
  await page.keyboard.press('Shift+N');
  await page.getByLabel('Name', { exact: true }).fill(`empty ${crypto.randomUUID().slice(0, 4)}`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('This folder is empty.').waitFor();
}

const widths: Readonly<Record<string, BrowserContextOptions>> = {
  1280: { viewport: { width: 1280, height: 800 } },
  390: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
const colorSchemes = ['light', 'dark'] as const;
const folder = join(import.meta.dirname, '../pictures');
const screenMsMax = 10_000;
const settleMs = 700;

const words = process.argv.slice(2);
const isWanted = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
const found = await findWholeChromium();
if (found.kind === 'missing') throw new Error(found.reason);
await buildWeb();
await mkdir(folder, { recursive: true });
await using service = await startService();
const demo = await fillWorkspace(service.url, new Date());
/** The addresses of shared links, by path. */
const links = new Map<string, string>();
const browser = await openChromium(found.path);
try {
  for (const [width, size] of Object.entries(widths)) {
    for (const colorScheme of colorSchemes) await takeAll(browser, width, { ...size, colorScheme });
  }
} finally {
  await browser.close();
}
console.log(`Pictures are in ${folder}`);

async function takeAll(browser: Browser, width: string, options: BrowserContextOptions): Promise<void> {
  const settings = { baseURL: service.url, locale: 'en-US', timezoneId: 'UTC', ...options };
  const context = await browser.newContext(settings);
  await signIn(demo);
  for (const { name, address, isForeign = false, isNarrow = false, act } of screens) {
    const file = `${name}-${options.colorScheme}-${width}.png`;
    if (!isWanted(file) || (isNarrow && options.isMobile !== true)) continue;
    const opened = isForeign ? await browser.newContext(settings) : context;
    const page = await opened.newPage();
    page.setDefaultTimeout(screenMsMax);
    try {
      await page.goto(address(`/w/${demo.workspaceId}`));
      // Below a panel that is a dialog, as on narrow screens, the heading is hidden from the accessibility tree.
      await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
      await page.locator('main:not([aria-busy="true"])').first().waitFor();
      await act?.(page);
      // Icons and content drawn by a worker appear later. The network never becomes idle, because of the long poll.
      await page.waitForTimeout(settleMs);
      await page.screenshot({ path: join(folder, file), animations: 'disabled' });
    } catch (error) {
      // The other screens are still useful.
      console.log(`${file}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
    }
    await page.close();
    if (isForeign) await opened.close();
  }
  await context.close();

  async function signIn({ people: [{ email, password }] }: Demo): Promise<void> {
    const response = await context.request.post('/api/auth/sign-in/email', {
      data: { email, password },
      headers: { origin: service.url },
    });
    if (!response.ok()) throw new Error(`sign-in failed: ${response.status()} ${await response.text()}`);
    const listed = await context.request.get(`/api/workspaces/${demo.workspaceId}/shares`);
    for (const { path, url, memberUrl } of (await listed.json()).shares) links.set(path, url ?? memberUrl);
  }
}
