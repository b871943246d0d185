import type { Page } from 'playwright-core';

/** As a link goes there, which is faster than loading the app anew: for where a fresh load is not what is tested. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
}
