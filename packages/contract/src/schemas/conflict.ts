import { type ConflictKeep, conflictKeeps } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, pathInResponse, requestPath } from './path.ts';

export const resolveConflictBody = z
  .object({
    copy: requestPath('The conflicted copy.'),
    keep: z.enum(conflictKeeps, { error: 'must be merge, current or copy' }).meta({
      description:
        'merge: both in one text; current: the file as it is; copy: what the copy holds. The copy is deleted.',
    }),
  })
  .meta({ id: 'ResolveConflict' });

export type { ConflictKeep };

export const resolvedConflict = z
  .object({
    ok: z.literal(true),
    path: pathInResponse.meta({ description: 'The file.' }),
    version: fileVersion,
    merged: z.boolean(),
  })
  .meta({ id: 'ResolvedConflict' });

const unmergedLines = z
  .object({
    line: z.int().min(1).meta({ description: 'Where it begins in the file now.' }),
    base: z.string(),
    current: z.string(),
    copy: z.string(),
  })
  .meta({
    id: 'UnmergedLines',
    description: 'Lines that both changed. A text of more than 2,000 characters is cut.',
  });

/** 409: nothing was changed. */
export const unmergedConflict = z
  .object({
    ok: z.literal(false),
    error: z.literal('lines_overlap'),
    hunks: z.array(unmergedLines),
    moreHunks: z.int().min(0).meta({ description: 'Number of hunks that are not shown.' }),
  })
  .meta({ id: 'UnmergedConflict' });
export type UnmergedConflict = z.infer<typeof unmergedConflict>;

/** 409: the common base version is unknown or no longer kept. */
export const conflictWithoutBase = z
  .object({ ok: z.literal(false), error: z.literal('no_base') })
  .meta({ id: 'ConflictWithoutBase' });
