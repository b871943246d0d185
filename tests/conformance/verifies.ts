import { test } from 'node:test';
import type { DueId } from './requirements/index.ts';

/**
 * A test that verifies these requirements. The ids are written out in the call, where `coverage.test.ts` reads them
 * from the source, so that test files can run in processes of their own.
 */
export function verifies(
  ids: DueId | readonly DueId[],
  title: string,
  body: () => Promise<void> | void,
): void {
  test(`${title} [${[ids].flat().join(', ')}]`, { timeout: 60_000 }, body);
}
