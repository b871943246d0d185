import type { Page } from 'playwright-core';

/** Longer than two steps of a test are apart, and shorter than the timeout of a pending request. */
const aheadMs = 20_000;

/** Stops the installed clock of a page until `page.clock.resume()`: no timer of the page fires. */
export async function standStill(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
}
