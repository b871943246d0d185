import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More stops than any page has before its content. */
const stopsMax = 80;
/** More entries than any menu has. */
const entriesMax = 40;

/** Presses Tab until the element has the focus, like a user without a pointer. */
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

/** Waits until the element has the focus, which may follow the key by a frame. */
export async function focused(wanted: Locator): Promise<void> {
  await wanted.and(wanted.page().locator(':focus')).waitFor();
}

/** Goes to a field by Tab and replaces its text. */
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

/** Opens a menu by keyboard and chooses an entry by its first letters. */
export async function chooseFromMenu(page: Page, button: Locator, entry: string): Promise<void> {
  await press(page, button);
  await stepTo(page, page.getByRole('menuitem', { name: entry, exact: true }));
  await page.keyboard.press('Enter');
}

/** Moves down an open menu to an entry. Waits for the focus after each key, because it follows a moment later. */
export async function stepTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor();
  await page.locator('[role="menu"]:focus, [role="menu"] :focus').waitFor();
  for (let steps = 0; steps < entriesMax; steps += 1) {
    if (await hasFocus(item)) return;
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction((old) => {
      const now = document.activeElement;
      return now !== old && now?.getAttribute('role')?.startsWith('menuitem') === true;
    }, before);
  }
  assert.fail(`the menu has no way to ${item}`);
}
