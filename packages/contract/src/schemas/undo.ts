import { undoLeftReasons, undoOutcomes } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, pathInResponse, requestPath } from './path.ts';
import { timestamp } from './timestamp.ts';

const id = (description: string) =>
  z.string({ error: 'must be an id' }).min(1).max(200).meta({ description });

/** Selects the changes: author, period and path. */
export const undoBody = z
  .object({
    actorKeyId: id(
      'The key whose changes are undone: actorKeyId of a change. It may have been revoked.',
    ).optional(),
    actorId: id(
      'The person whose changes are undone: those made in the browser, without those of their keys.',
    ).optional(),
    since: timestamp('Start of the period, included: createdAt of a change may be used unchanged.'),
    until: timestamp('End of the period, included. Default: now.').optional(),
    path: requestPath('Only this folder or file.').optional(),
    afterPath: requestPath('Continues after this path: nextPath of the previous response.').optional(),
    dryRun: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .meta({ description: 'Changes nothing, and reports what would happen.' }),
  })
  .refine(({ actorKeyId, actorId }) => (actorKeyId === undefined) !== (actorId === undefined), {
    error: 'give either actorKeyId or actorId',
  })
  .refine(({ since, until }) => until === undefined || until >= since, {
    path: ['until'],
    error: 'must not be before since',
  })
  .meta({ id: 'Undo' });
export type UndoInput = z.input<typeof undoBody>;

const undoneFile = z
  .object({
    path: pathInResponse.meta({
      description: 'The current path of the file, or its last path if it is gone.',
    }),
    outcome: z.enum(undoOutcomes).meta({
      description: [
        'restored: the text from before; merged: later changes of others stay; deleted: only the actor wrote it;',
        'recreated: the actor had deleted it; unchanged: it has none of the changes any more; left: it was not touched.',
      ].join(' '),
    }),
    version: fileVersion.optional().meta({
      description:
        'The version afterwards; for a deleted file, the deleted version. In a dry run, and for a file that is left, the current version.',
    }),
    reason: z.enum(undoLeftReasons).optional().meta({ description: 'Why a file was left as it is.' }),
    movedFrom: pathInResponse.optional().meta({
      description: 'The actor moved the file here from this path. A move is not undone.',
    }),
    linesAdded: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'In a dry run, if the texts can be compared.' }),
    linesRemoved: z.int().min(0).optional(),
  })
  .meta({ id: 'UndoneFile' });
export type UndoneFileRecord = z.infer<typeof undoneFile>;

const count = z.int().min(0);

export const undoneChanges = z
  .object({
    dryRun: z.boolean(),
    files: z.array(undoneFile).meta({ description: 'By code point of the path.' }),
    totals: z
      .object({
        restored: count,
        merged: count,
        deleted: count,
        recreated: count,
        unchanged: count,
        left: count,
      })
      .meta({ id: 'UndoTotals', description: 'Number of files in this response by outcome.' }),
    nextPath: pathInResponse.nullable().meta({
      description: 'More files remain: send this as afterPath. Null: these were all.',
    }),
  })
  .meta({ id: 'UndoneChanges' });
export type UndoneChanges = z.infer<typeof undoneChanges>;
