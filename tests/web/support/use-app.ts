import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, openChromium } from '../../support/chromium.ts';
import type { HttpClient } from '../../support/http-client.ts';
import type { Person } from '../../support/people.ts';
import type { ServiceProcess, ServiceVariables } from '../../support/service-process.ts';
import { appBuiltVariable, useOwnService, useTarget } from '../../support/target.ts';
import { type Allowed, watchPages } from './watch-pages.ts';

/** Limits that end a hanging test. They say nothing about speed: machines that run tests are busy. */
const testMsMax = 600_000;
const actionMsMax = 60_000;
const snapshotMsMax = 10_000;
const snapshotCharactersMax = 4000;

/** The two sizes at which the app has to work. */
export const screens = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

export interface Visit {
  /** The user to sign in by cookie; by default the page has no session. */
  readonly as?: Person;
  readonly screen?: keyof typeof screens;
  /** Problems that this test causes on purpose. */
  readonly allowed?: Allowed;
  /** In addition to language, time zone and size. */
  readonly options?: BrowserContextOptions;
}

/** The web app with the real server, the real build and a real browser. */
export interface App {
  readonly url: string;
  /** The same server over REST, to prepare a test and to check its result. */
  readonly client: HttpClient;
  /** The second argument of each `test`. */
  readonly options: { readonly skip: string | false; readonly timeout: number };
  /**
   * Opens a page in a browser context of its own: another device. The page closes at the end of the test. The test
   * fails if the page broke its policy, threw, logged an error or sent a request to another origin.
   */
  readonly open: (t: TestContext, visit?: Visit) => Promise<Page>;
}

/** The app for a file that creates its own users and workspaces on a shared server. Call it once, at the top. */
export async function useApp(): Promise<App> {
  await makeSureOfBuild();
  return await openApp(await useTarget());
}

/** The app with a server of the file's own. Call it once, at the top of the file. */
export async function useOwnApp(
  variables: ServiceVariables = {},
): Promise<App & { readonly service: ServiceProcess }> {
  await makeSureOfBuild();
  const { service, client } = await useOwnService(variables);
  return { ...(await openApp(client)), service };
}

/** Builds the app when a file runs alone, by hand. */
export async function makeSureOfBuild(): Promise<void> {
  if (process.env[appBuiltVariable] !== undefined) return;
  const { buildWeb } = await import('../../../scripts/building/build-web.ts');
  await buildWeb();
}

async function openApp(client: HttpClient): Promise<App> {
  const found = await findChromium();
  const { url } = client;
  let browser: Promise<Browser> | null = null;
  after(async () => (await browser)?.close());
  const openBrowser = () => {
    assert.ok(found.kind === 'found');
    browser ??= openChromium(found.path);
    return browser;
  };
  return {
    url,
    client,
    options: { skip: found.kind === 'missing' ? found.reason : false, timeout: testMsMax },
    async open(t, { as, screen = 'desk', allowed = {}, options = {} } = {}) {
      const context = await (await openBrowser()).newContext({
        baseURL: url,
        locale: 'en-US',
        timezoneId: 'UTC',
        // A browser with windows lets a page write to the clipboard. A headless one asks.
        permissions: ['clipboard-write'],
        ...screens[screen],
        ...options,
      });
      context.setDefaultTimeout(actionMsMax);
      const problems = await watchPages(context, url, allowed);
      t.after(async () => {
        if (!t.passed) await reportOfPages(t, context);
        await context.close();
        assert.deepEqual(problems, [], 'the page did something forbidden');
      });
      if (as !== undefined) await addSession(context, url, as);
      return await context.newPage();
    },
  };
}

/** Reports the content of the pages of a failed test. */
async function reportOfPages(t: TestContext, context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const shown = page.locator('body').ariaSnapshot({ timeout: snapshotMsMax });
    const text = await shown.catch((error: unknown) => `not to be read: ${String(error)}`);
    t.diagnostic(`${page.url()} showed\n${text.slice(0, snapshotCharactersMax)}`);
  }
}

/** Signs the context in with the session of this person. */
export async function addSession(context: BrowserContext, url: string, { session }: Person): Promise<void> {
  for (const pair of (session.credentials.cookie ?? '').split('; ')) {
    const [name = '', ...value] = pair.split('=');
    await context.addCookies([{ name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' }]);
  }
}
