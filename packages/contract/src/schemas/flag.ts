import { z } from 'zod';

/** A switch in a query string: on by `1` or `true`, off by anything else. */
export function flag(description: string) {
  return z
    .unknown()
    .optional()
    .transform((value) => value === '1' || value === 'true')
    .meta({ type: 'string', enum: ['1', 'true'], description });
}
