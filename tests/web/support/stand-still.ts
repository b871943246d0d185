import type { Page } from 'playwright-core';

/** More than lies between two steps of a test, and less than ends a request that is under way. */
const aheadMs = 20_000;

/** Stops the clock of a page on which it is installed, until `page.clock.resume()`: no timer of the page runs out. */
export async function standStill(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs);
}
