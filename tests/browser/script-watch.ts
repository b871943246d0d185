import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { canary } from './hostile-files.ts';

/** The console output of scripts in a browser's pages, and the dialogs that they opened. */
export interface ScriptWatch {
  readonly said: readonly string[];
  readonly reports: readonly string[];
}

/** The time for scripts of an opened page after it has loaded. */
const momentMs = 50;
/** The limit for a page that hangs: machines that run tests are busy. */
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

/** Opens an address and lets the page run for a moment. A download shows no page. */
export async function visit(page: Page, url: string): Promise<'shown' | 'downloaded'> {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: loadMsMax });
  } catch (error) {
    if (error instanceof Error && /Download is starting|ERR_ABORTED/.test(error.message)) return 'downloaded';
    throw error;
  }
  // Only a pause can show that no script runs. The control shows that the pause is long enough to detect one.
  await wait(momentMs);
  return 'shown';
}
