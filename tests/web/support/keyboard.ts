import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More stops than any page has before its content. */
const stopsMax = 80;

/** Presses Tab until this has the focus, as somebody does who has no pointer. */
export async function tabTo(page: Page, wanted: Locator, { back = false } = {}): Promise<void> {
  await wanted.waitFor();
  for (let stops = 0; stops < stopsMax; stops += 1) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  assert.fail(`${wanted} cannot be reached by Tab`);
}

export async function hasFocus(wanted: Locator): Promise<boolean> {
  return await wanted.evaluate((element) => element === document.activeElement);
}

/** Waits until it has the focus: that may come a drawing after the key that brings it. */
export async function focused(wanted: Locator): Promise<void> {
  await wanted.and(wanted.page().locator(':focus')).waitFor();
}

/** Goes to a field by Tab and types into it, in place of what is in it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Goes to a button or a link by Tab and presses it. */
export async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Opens a menu by keyboard and takes an entry by its first letters. */
export async function chooseFromMenu(page: Page, button: Locator, entry: string): Promise<void> {
  await press(page, button);
  const item = page.getByRole('menuitem', { name: entry, exact: true });
  await item.waitFor();
  for (let steps = 0; steps < 20; steps += 1) {
    if (await hasFocus(item)) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`the menu has no way to ${entry}`);
}
