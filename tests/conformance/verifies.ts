import { test } from 'node:test';
import { claims } from './claims.ts';
import type { DueId } from './requirements/index.ts';

/** @deprecated `test(...claims(ids, title), body)` names the right file and line. */
export function verifies(
  ids: DueId | readonly DueId[],
  title: string,
  body: () => Promise<void> | void,
): void {
  test(...claims(ids, title), body);
}
