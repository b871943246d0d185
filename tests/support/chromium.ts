import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installCommand = 'apt-get install -y chromium';
const installMsMax = 10 * 60_000;
const run = promisify(execFile);

export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * A real Chromium: the one that is installed, else one that is installed now where that is possible. Test files run side by
 * side, so installing is done under a lock, and a browser that another file is just installing is waited for.
 */
export async function findChromium(): Promise<FoundChromium> {
  const mayInstall = process.getuid?.() === 0;
  if (mayInstall) await underInstallLock('true');
  const found = await firstExecutable();
  if (found !== null) return { kind: 'found', path: found };
  if (mayInstall) {
    await underInstallLock(`command -v chromium || { apt-get update; ${installCommand}; }`);
    const installed = await firstExecutable();
    if (installed !== null) return { kind: 'found', path: installed };
  }
  return { kind: 'missing', reason: `no Chromium here: as root, ${installCommand}` };
}

/** Without `flock`, or when the script fails, nothing is installed: the caller looks and says so. */
async function underInstallLock(script: string): Promise<void> {
  const lock = join(tmpdir(), 'stoa-install-chromium.lock');
  await run('flock', ['--wait', '600', lock, 'sh', '-c', script], { timeout: installMsMax }).catch(
    () => null,
  );
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
