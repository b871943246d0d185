import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installCommand = 'apt-get install -y chromium';
const installMsMax = 10 * 60_000;
const run = promisify(execFile);

export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** A real Chromium: the one that is installed, else one that is installed now where that is possible. */
export async function findChromium(): Promise<FoundChromium> {
  const found = await firstExecutable();
  if (found !== null) return { kind: 'found', path: found };
  if (process.getuid?.() === 0) {
    const options = { timeout: installMsMax };
    await run('apt-get', ['update'], options).catch(() => null);
    await run('apt-get', ['install', '-y', 'chromium'], options).catch(() => null);
    const installed = await firstExecutable();
    if (installed !== null) return { kind: 'found', path: installed };
  }
  return { kind: 'missing', reason: `no Chromium here: as root, ${installCommand}` };
}

export async function openChromium(path: string): Promise<Browser> {
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
    ],
  });
}

async function firstExecutable(): Promise<string | null> {
  for (const path of places) {
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Not there: the next place.
    }
  }
  return null;
}
