import { z } from 'zod';

/** A switch in a query string: on for `1` or `true`, off for anything else. */
export function flag(description: string) {
  return z
    .unknown()
    .optional()
    .transform((value) => value === '1' || value === 'true')
    .meta({ type: 'string', enum: ['1', 'true'], description });
}

/** A whole number in a query string: digits only, without sign, fraction or exponent. */
export function wholeNumber(range: { readonly min: number; readonly max?: number }, description: string) {
  const { min, max } = range;
  const expected =
    max === undefined
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`;
  return z
    .string({ error: expected })
    .transform((text, context) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isSafeInteger(value) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER))
        return value;
      context.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }), description });
}

/** A page size in a query string: a number above `max` counts as `max`, however long it is. */
export function pageSize(
  range: { readonly min: number; readonly max: number; readonly otherwise: number },
  description: string,
) {
  const { min, max, otherwise } = range;
  const expected = `must be a whole number of at least ${min}`;
  return z
    .string({ error: expected })
    .optional()
    .transform((text = String(otherwise), context) => {
      const value = /^\d+$/.test(text) ? Math.min(Number(text), max) : Number.NaN;
      if (value >= min) return value;
      context.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, default: otherwise, description });
}
