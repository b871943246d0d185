import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

/** What the pointer is on does not move away under it, whatever comes or goes beside it by `change`. */
export async function assertStaysInPlace(element: Locator, change: () => Promise<void>): Promise<void> {
  // Once all that it is in stands where it is.
  await element.hover();
  const placed = await element.boundingBox();
  assert.ok(placed !== null);
  await change();
  assert.deepEqual(await element.boundingBox(), placed);
}
