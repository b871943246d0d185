import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { findProgram } from './install-program.ts';

const shellPlace = '/usr/bin/chromium-headless-shell';
const wholePlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Set by the run, which looks once for all of its files; by hand it names one that is elsewhere. */
export const chromiumVariable = 'STOA_TEST_CHROMIUM';

export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * A real Chromium for tests: the one without the windows that nobody sees there, which takes a fifth less processor time,
 * installed now where that is possible, else a whole one that is there.
 */
export async function findChromium(): Promise<FoundChromium> {
  const named = process.env[chromiumVariable];
  if (named) return { kind: 'found', path: named };
  const found = await find([shellPlace], 'chromium-headless-shell');
  const path = wholePlaces.find((place) => existsSync(place));
  return found.kind === 'found' || path === undefined ? found : { kind: 'found', path };
}

/** A Chromium as people have it, for what is measured in it and for pictures. */
export async function findWholeChromium(): Promise<FoundChromium> {
  return await find(wholePlaces, 'chromium');
}

async function find(places: readonly string[], packageName: string): Promise<FoundChromium> {
  const found = await findProgram({
    name: 'Chromium',
    check: places.map((place) => `test -x ${place}`).join(' || '),
    install: `apt-get install -y ${packageName}`,
  });
  if (found.kind === 'missing') return found;
  const path = places.find((place) => existsSync(place));
  if (path === undefined) throw new Error('the Chromium that was there is gone');
  return { kind: 'found', path };
}

/**
 * The popup of the address bar, in a whole one, is a page of its own, loaded into a process of its own for each context: it took
 * three times the processor time of the page that is tested, and nobody sees it.
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
const wholeFlags = [`--disable-features=${[...withoutPopup, ...withoutAsPlaywright].join(',')}`];

/** @param more flags beside those that every test has. */
export async function openChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath: path,
    headless: true,
    args: [
      '--disable-gpu',
      // Pages of several sites share a process: what they may do is the same, and none waits for another to start.
      '--disable-site-isolation-trials',
      ...(path === shellPlace ? [] : wholeFlags),
      ...more,
    ],
  });
}
