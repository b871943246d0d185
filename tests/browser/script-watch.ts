import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { canary } from './hostile-files.ts';

/** What scripts in a browser's pages said, and the dialogs that they opened. */
export interface ScriptWatch {
  readonly said: readonly string[];
  readonly reports: readonly string[];
}

/** How long scripts of an opened page have, beyond its loading. */
const momentMs = 50;
/** It ends what hangs: machines that run tests are busy. */
const loadMsMax = 60_000;

export const reportMark = 'STOA-REPORT';

export function watchScripts(context: BrowserContext): ScriptWatch {
  const said: string[] = [];
  const reports: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    if (text.startsWith(`${canary} `)) said.push(text.slice(canary.length + 1));
    if (text.startsWith(`${reportMark} `)) reports.push(text.slice(reportMark.length + 1));
  });
  context.on('dialog', (dialog) => {
    said.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  return { said, reports };
}

/** Opens an address and lets the page do what it does. A download opens nothing. */
export async function visit(page: Page, url: string): Promise<'shown' | 'downloaded'> {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: loadMsMax });
  } catch (error) {
    if (error instanceof Error && /Download is starting|ERR_ABORTED/.test(error.message)) return 'downloaded';
    throw error;
  }
  // That nothing happens can only be waited for; the control shows that a script that runs is noticed by then.
  await wait(momentMs);
  return 'shown';
}
