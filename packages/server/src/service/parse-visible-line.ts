import { invalidRequest, type WorkspaceError } from '@stoa/core';

/**
 * A name that people read: one line of visible text, at most `maxCharacters` long, without the white space around it.
 * @throws WorkspaceError `invalid_request`, naming the field and the rule.
 */
export function parseVisibleLine(field: string, text: unknown, maxCharacters: number): string {
  if (typeof text !== 'string') throw refused(`${field} is required`);
  const trimmed = text.trim();
  if (trimmed === '') throw refused(`${field} must not be empty`);
  if (!trimmed.isWellFormed()) throw refused(`${field} holds a lone surrogate`);
  // Line and paragraph separators and the marks that turn text round would make one name look like another.
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(trimmed)) {
    throw refused(`${field} must not hold control characters`);
  }
  if (trimmed.length > maxCharacters * 2 || [...trimmed].length > maxCharacters) {
    throw refused(`${field} must not be longer than ${maxCharacters} characters`);
  }
  return trimmed;
}

function refused(reason: string): WorkspaceError {
  return invalidRequest(reason);
}
