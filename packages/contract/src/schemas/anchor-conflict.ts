import { z } from 'zod';
import { fileVersion } from './path.ts';

/** 409: the quote occurs several times. Nothing was created. */
const anchorAmbiguous = z
  .object({
    error: z.literal('anchor_ambiguous'),
    occurrences: z.int().meta({ description: 'Occurrences of the quote in the file.' }),
    matches: z
      .array(z.object({ line: z.int().min(1), excerpt: z.string() }))
      .meta({ description: 'The first candidates.' }),
  })
  .meta({ id: 'AnchorAmbiguous' });

/** 409: the quote does not occur in the file. */
const anchorNotFound = z.object({ error: z.literal('anchor_not_found') }).meta({ id: 'AnchorNotFound' });

/** 409: the quote is from an older version and cannot be followed to the current one. */
const baseVersionConflict = z
  .object({
    error: z.literal('base_version_conflict'),
    baseVersion: fileVersion,
    currentVersion: fileVersion,
    reason: z.enum(['quote_changed', 'base_unavailable']),
  })
  .meta({ id: 'BaseVersionConflict' });

export const anchorConflict = z.union([anchorAmbiguous, anchorNotFound, baseVersionConflict]);
export type AnchorConflict = z.infer<typeof anchorConflict>;
