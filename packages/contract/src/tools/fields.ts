import { z } from 'zod';

/** A path in a tool's arguments. Core's parser checks its form and names the reason. */
export function toolPath(description?: string) {
  const schema = z.string({ error: 'must be a path, like notes/plan.md' });
  return description === undefined ? schema : schema.meta({ description });
}

/** A whole number of at least `min`. */
export function wholeNumberFrom(min: number, description?: string, meaning?: string) {
  const number = `a whole number of at least ${min}`;
  const expected = `must be ${meaning === undefined ? number : `${number}: ${meaning}`}`;
  const schema = z.int({ error: expected }).min(min, { error: expected });
  return description === undefined ? schema : schema.meta({ description });
}

/** A page size: a number above `max` counts as `max`. */
export function pageSizeUpTo(max: number, otherwise: number, min = 1) {
  return wholeNumberFrom(min, otherwise === max ? `At most ${max}` : `Default ${otherwise}, at most ${max}`)
    .optional()
    .transform((value = otherwise) => Math.min(value, max));
}

export const contentEncoding = z
  .enum(['utf8', 'base64'], { error: 'must be utf8 or base64' })
  .optional()
  .transform((encoding = 'utf8') => encoding)
  .meta({ description: 'Default utf8' });

/** A named choice in a tool's arguments. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const named = values.map((value) => (value === '' ? 'empty' : value));
  return z.enum(values, { error: `must be ${named.slice(0, -1).join(', ')} or ${named.at(-1)}` });
}
