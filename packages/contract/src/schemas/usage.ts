import { z } from 'zod';

const limit = z.int().nullable().meta({ description: 'Null when unlimited.' });

/** The usage and limits of a workspace (interface: workspaces, Usage). */
export const usageRecord = z
  .object({
    usedBytes: z.int(),
    limitBytes: limit,
    remainingBytes: limit,
    usedFiles: z.int(),
    limitFiles: limit,
    remainingFiles: limit,
    historyBytes: z.int().meta({ description: 'Bytes of earlier versions and of deleted files.' }),
    limitHistoryBytes: limit,
    warning: z.boolean().meta({ description: 'True once the file count has reached 90 % of its limit.' }),
    maxFileBytes: z.int().meta({ description: 'The largest file that may be written.' }),
    shareViews: z.object({
      total: z.int(),
      last30Days: z
        .int()
        .nullable()
        .meta({ description: 'Null for a key with a path: days are counted for the whole workspace.' }),
    }),
    billing: z.object({
      plan: z.string(),
      status: z.enum(['active', 'lapsed']).meta({ description: 'A lapsed workspace is read-only.' }),
    }),
  })
  .meta({ id: 'Usage' });
