import type { Locator } from 'playwright-core';

/** Returns the description of a field, which a screen reader reads after its name. */
export async function descriptionOf(field: Locator): Promise<string> {
  return await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
}
