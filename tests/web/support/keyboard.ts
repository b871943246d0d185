import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** More stops than any page has before its content. */
const stopsMax = 80;
/** More entries than any menu has. */
const entriesMax = 40;

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
  await stepTo(page, page.getByRole('menuitem', { name: entry, exact: true }));
  await page.keyboard.press('Enter');
}

/** Walks down an open menu to an entry. The focus follows each key a moment later: the next is not pressed before. */
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
