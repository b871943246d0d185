import { z } from 'zod';
import { isoTime } from './path.ts';

export const health = z.object({ status: z.literal('ok'), timestamp: isoTime }).meta({ id: 'Health' });
export type Health = z.infer<typeof health>;
