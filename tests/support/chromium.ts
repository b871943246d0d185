import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './install-program.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** A real Chromium: the one that is installed, else one that is installed now where that is possible. */
export async function findChromium(): Promise<FoundChromium> {
  const found = await findProgram({
    name: 'Chromium',
    check: places.map((place) => `test -x ${place}`).join(' || '),
    install: 'apt-get install -y chromium',
  });
  if (found.kind === 'missing') return found;
  const path = places.find((place) => existsSync(place));
  if (path === undefined) throw new Error('the Chromium that was there is gone');
  return { kind: 'found', path };
}

/**
 * The popup of the address bar is a page of its own, loaded into a process of its own for each context: it took three times
 * the processor time of the page that is tested, and nobody sees it.
 */
const withoutPopup = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/** What Playwright switches off and a test could meet: of two flags of this name the last one counts. */
const withoutAsPlaywright = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
];

/** @param more flags beside those that every test has. */
export async function openChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  return await chromium.launch({
    executablePath: path,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of several sites share a process: what they may do is the same, and none waits for another to start.
      '--disable-site-isolation-trials',
      `--disable-features=${[...withoutPopup, ...withoutAsPlaywright].join(',')}`,
      ...more,
    ],
  });
}
