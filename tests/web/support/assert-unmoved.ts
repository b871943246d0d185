import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

/** Asserts that the element under the pointer does not move when `change` adds or removes elements. */
export async function assertUnmoved(element: Locator, change: () => Promise<void>): Promise<void> {
  // Hovering waits until the element has a stable position.
  await element.hover();
  const placed = await element.boundingBox();
  assert.ok(placed !== null);
  await change();
  assert.deepEqual(await element.boundingBox(), placed);
}
