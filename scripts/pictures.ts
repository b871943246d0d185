/**
 * Takes pictures of the app's screens with the demo's workspace, light and dark, at a desk's and a phone's width, to be
 * looked at:
 *
 *   npm run pictures                  all of them, into ./pictures
 *   npm run pictures -- folder share  those whose name contains one of the words
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Demo, fillWorkspace, places } from '../demo/fill-workspace.ts';
import { findChromium, openChromium } from '../tests/support/chromium.ts';
import { startService } from '../tests/support/service-process.ts';
import { buildWeb } from './building/build-web.ts';

interface Screen {
  readonly name: string;
  readonly address: (workspace: string) => string;
  /** Nobody is signed in. */
  readonly isForeign?: true;
  /** Brings the page to what is to be seen, and waits for it. */
  readonly act?: (page: Page) => Promise<void>;
}

const plan = (workspace: string) => `${workspace}/f/${places.plan}`;
const screens: readonly Screen[] = [
  { name: 'sign-in', address: () => '/signin', isForeign: true },
  { name: 'top-folder', address: (workspace) => workspace },
  { name: 'folder', address: (workspace) => `${workspace}/d/plans` },
  { name: 'reading', address: plan, act: (page) => page.getByRole('article').first().waitFor() },
  { name: 'comments', address: (workspace) => `${plan(workspace)}?panel=comments` },
  { name: 'editing', address: (workspace) => `${plan(workspace)}?mode=edit` },
  { name: 'history', address: (workspace) => `${plan(workspace)}?panel=history` },
  { name: 'calendar', address: (workspace) => `${workspace}/d/calendar?view=calendar` },
  { name: 'activity', address: (workspace) => `${workspace}/activity` },
  { name: 'conflicts', address: (workspace) => `${workspace}/conflicts` },
  {
    name: 'share',
    address: plan,
    act: async (page) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'appearance', address: (workspace) => `${workspace}/settings/appearance` },
  { name: 'members', address: (workspace) => `${workspace}/settings/members` },
  { name: 'keys', address: () => '/account/keys' },
];

const widths: Readonly<Record<string, BrowserContextOptions>> = {
  1280: { viewport: { width: 1280, height: 800 } },
  390: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
const colorSchemes = ['light', 'dark'] as const;
const folder = join(import.meta.dirname, '../pictures');
const screenMsMax = 10_000;
const settleMs = 700;

const words = process.argv.slice(2);
const wanted = screens.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const found = await findChromium();
if (found.kind === 'missing') throw new Error(found.reason);
await buildWeb();
await mkdir(folder, { recursive: true });
await using service = await startService();
const demo = await fillWorkspace(service.url, new Date());
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
  for (const { name, address, isForeign = false, act } of wanted) {
    const opened = isForeign ? await browser.newContext(settings) : context;
    const page = await opened.newPage();
    page.setDefaultTimeout(screenMsMax);
    const file = `${name}-${options.colorScheme}-${width}.png`;
    try {
      await page.goto(address(`/w/${demo.workspaceId}`));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main:not([aria-busy="true"])').first().waitFor();
      await act?.(page);
      // Icons and what is drawn by a worker come a little later; a feed request is under way all the time.
      await page.waitForTimeout(settleMs);
      await page.screenshot({ path: join(folder, file), animations: 'disabled' });
    } catch (error) {
      // The other screens are worth looking at all the same.
      console.log(`${file}: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
    }
    await page.close();
    if (isForeign) await opened.close();
  }
  await context.close();

  async function signIn({ people: [{ email, password }] }: Demo): Promise<void> {
    const answer = await context.request.post('/api/auth/sign-in/email', {
      data: { email, password },
      headers: { origin: service.url },
    });
    if (!answer.ok()) throw new Error(`nobody signs in: ${answer.status()} ${await answer.text()}`);
  }
}
