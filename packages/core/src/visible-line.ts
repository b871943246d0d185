import { invalidRequest } from './errors.ts';

/** Line and paragraph separators and bidi controls can make one name look like another. */
const invisible = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is displayed as it is, on one line: the rule for every name that users choose. */
export function isVisibleLine(text: string): boolean {
  return text.isWellFormed() && !invisible.test(text);
}

/** Whether the number of characters (code points) is from `min` to `max`. */
export function hasCharacters(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  // A character has at most two units, so longer texts fail before the count.
  if (text.length > max * 2) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}

/**
 * Parses a name that users read: one line of visible text, at most `maxCharacters` long. Trims it.
 * @throws WorkspaceError `invalid_request`, naming the field and the rule.
 */
export function parseVisibleLine(field: string, text: unknown, maxCharacters: number): string {
  if (typeof text !== 'string') throw invalidRequest(`${field} is required`);
  const trimmed = text.trim();
  if (trimmed === '') throw invalidRequest(`${field} must not be empty`);
  if (!isVisibleLine(trimmed)) throw invalidRequest(`${field} must not hold control characters`);
  if (!hasCharacters(trimmed, { min: 1, max: maxCharacters })) {
    throw invalidRequest(`${field} must not be longer than ${maxCharacters} characters`);
  }
  return trimmed;
}
