import { z } from 'zod';

/**
 * A line of text for people: counted in characters (code points), without control characters or lone surrogates,
 * which a database or a terminal could not carry.
 */
export function line(range: { readonly min: number; readonly max: number }, description: string) {
  const { min, max } = range;
  const expected = `must be ${min === 0 ? 'at most' : `${min} to`} ${max} characters`;
  return z
    .string({ error: `must be a text` })
    .refine((text) => fits(text, min, max), { error: expected, abort: true })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: 'must not hold control characters',
    })
    .meta({ ...(min === 0 ? {} : { minLength: min }), maxLength: max, description });
}

function fits(text: string, min: number, max: number): boolean {
  // A character is at most two units: longer texts are refused before they are counted.
  if (text.length > max * 2) return false;
  const count = [...text].length;
  return count >= min && count <= max;
}
