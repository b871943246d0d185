import { accessSync, constants, existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { findProgram } from './install-program.ts';

const shellLocation = '/usr/bin/chromium-headless-shell';
const wholeLocations = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Set by the run, which looks once for all of its files. By hand it names another Chromium. */
export const chromiumVariable = 'STOA_TEST_CHROMIUM';

export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * A real Chromium for tests. The headless shell is preferred: it takes a fifth less processor time. It is
 * installed where that is possible. Otherwise an installed full Chromium is used.
 */
export async function findChromium(): Promise<FoundChromium> {
  const named = process.env[chromiumVariable];
  if (named) return { kind: 'found', path: named };
  const found = await find([shellLocation], 'chromium-headless-shell');
  const path = wholeLocations.find((location) => existsSync(location));
  return found.kind === 'found' || path === undefined ? found : { kind: 'found', path };
}

/** Whether this machine has a Chromium, without installing one. */
export function hasChromium(): boolean {
  return [process.env[chromiumVariable] || shellLocation, ...wholeLocations].some(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A full Chromium as people have it, for measurements and pictures. */
export async function findWholeChromium(): Promise<FoundChromium> {
  return await find(wholeLocations, 'chromium');
}

async function find(locations: readonly string[], packageName: string): Promise<FoundChromium> {
  const found = await findProgram({
    name: 'Chromium',
    check: locations.map((location) => `test -x ${location}`).join(' || '),
    install: `apt-get install -y ${packageName}`,
  });
  if (found.kind === 'missing') return found;
  const path = locations.find((location) => existsSync(location));
  if (path === undefined) throw new Error('the Chromium that was there is gone');
  return { kind: 'found', path };
}

/**
 * In a full Chromium the invisible popup of the address bar is a page with its own process for each context. It
 * took three times the processor time of the tested page.
 */
const withoutPopup = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
/**
 * Features that Playwright switches off and a test could meet. They are repeated, because the last of two such
 * flags counts.
 */
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

/** @param more flags in addition to those that every test has. */
export async function openChromium(path: string, more: readonly string[] = []): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath: path,
    headless: true,
    args: [
      '--disable-gpu',
      // Pages of several sites share a process. Their permissions stay the same, and none waits for another to
      // start.
      '--disable-site-isolation-trials',
      ...(path === shellLocation ? [] : wholeFlags),
      ...more,
    ],
  });
}
