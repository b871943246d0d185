import { z } from 'zod';

const limit = z.int().nullable().meta({ description: 'Null when unlimited.' });

const planRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    storageBytes: limit,
    files: limit,
    fileBytes: limit,
    historyBytes: limit,
    workspaces: limit,
  })
  .meta({ id: 'Plan' });
export type PlanRecord = z.infer<typeof planRecord>;

export const planList = z
  .object({
    available: z.boolean().meta({ description: 'Whether plans can be bought here.' }),
    plans: z.array(planRecord),
  })
  .meta({ id: 'PlanList' });
