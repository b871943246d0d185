import { invalidRequest } from '@stoa/core';
import type { SqlValue } from './executor.ts';

/** Whether both databases can keep the text as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Every text on its way to a database passes here, also one that is only looked for. PostgreSQL keeps no NUL, and neither
 * database keeps half a surrogate pair: the one would fail, the other would quietly be another text.
 * @throws WorkspaceError `invalid_request`
 */
export function refuseUnstorable(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw invalidRequest('The request contains text with a NUL or half a character (a lone surrogate)');
    }
  }
}
