import type { Locator } from 'playwright-core';

/** What a field is described by, as it is read out after its name. */
export async function descriptionOf(field: Locator): Promise<string> {
  return await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
}
