import { z } from 'zod';

export const me = z
  .object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      image: z.string().meta({ description: 'An address, or empty.' }),
    }),
  })
  .meta({ id: 'Me' });
