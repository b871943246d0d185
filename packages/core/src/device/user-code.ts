import type { Brand } from '../brand.ts';

/** The code that a person compares and types: two groups of four characters with a hyphen, in upper case. */
export type UserCode = Brand<string, 'UserCode'>;

/** No vowels, so that no word comes out, and of characters that look or sound alike (0 O, 1 I L, 2 Z, 5 S, 8 B, 6 G, U V) none. */
export const userCodeAlphabet = 'CDFGHJKMNPQRTVWXY3479';
export const userCodeCharacters = 8;

const groupCharacters = 4;
/** A typed code is longer than its characters by a few separators at most. */
const typedMaxCharacters = 32;
const compactCode = new RegExp(`^[${userCodeAlphabet}]{${userCodeCharacters}}$`);

/** What a person typed, in either case and with or without hyphens and spaces; null when no code can be meant. */
export function parseUserCode(typed: string): UserCode | null {
  if (typed.length > typedMaxCharacters) return null;
  const compact = typed.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase();
  return compactCode.test(compact) ? formatted(compact) : null;
}

/** @param draws one whole number below the alphabet's length for each character. */
export function userCodeOf(draws: readonly number[]): UserCode {
  const compact = draws.map((draw) => userCodeAlphabet.charAt(draw)).join('');
  if (!compactCode.test(compact)) throw new Error('a user code was drawn from outside its alphabet');
  return formatted(compact);
}

function formatted(compact: string): UserCode {
  return `${compact.slice(0, groupCharacters)}-${compact.slice(groupCharacters)}` as UserCode;
}
