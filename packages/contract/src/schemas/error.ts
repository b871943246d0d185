import { z } from 'zod';

/** The body of every error that is not a flat one (interface: errors, Body). */
export const errorBody = z
  .object({
    statusCode: z.int(),
    statusMessage: z.string().meta({ description: 'The problem, and where possible what to do about it.' }),
    message: z.string().meta({ description: 'The same text.' }),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;
