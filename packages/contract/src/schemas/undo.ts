import { undoLeftReasons, undoOutcomes } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, pathInAnswer, requestPath } from './path.ts';
import { timestamp } from './timestamp.ts';

const id = (description: string) =>
  z.string({ error: 'must be an id' }).min(1).max(200).meta({ description });

/** Whose changes of which time, and where. */
export const undoBody = z
  .object({
    actorKeyId: id(
      'The key whose changes are undone: actorKeyId of a change. It may have been revoked.',
    ).optional(),
    actorId: id(
      'The person whose changes are undone: what they did themselves in the browser, without what their keys did.',
    ).optional(),
    since: timestamp('The first moment of the time, included: createdAt of a change may be given as it is.'),
    until: timestamp('The last moment of it, included; left out, all that was done up to now.').optional(),
    path: requestPath('Only this folder or file.').optional(),
    afterPath: requestPath('Goes on behind this path: nextPath of the answer before.').optional(),
    dryRun: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .meta({ description: 'Changes nothing, and tells what would be done.' }),
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
    path: pathInAnswer.meta({ description: 'Where the file is now; of one that is gone, where it was.' }),
    outcome: z.enum(undoOutcomes).meta({
      description: [
        'restored: the text from before; merged: what others wrote since stays; deleted: it was created by the actor alone;',
        'recreated: it was deleted by the actor; unchanged: nothing of the changes is left in it; left: nothing was done.',
      ].join(' '),
    }),
    version: fileVersion.optional().meta({
      description:
        'Of the file afterwards; of a deleted one, the version that was deleted. In a dry run, and of what is left: of the file now.',
    }),
    reason: z.enum(undoLeftReasons).optional().meta({ description: 'Why a file was left as it is.' }),
    movedFrom: pathInAnswer.optional().meta({
      description: 'The actor moved the file here from this path. A move is not undone.',
    }),
    linesAdded: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'In a dry run, where both texts can be compared.' }),
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
      .meta({ id: 'UndoTotals', description: 'How many of the files in this answer had which outcome.' }),
    nextPath: pathInAnswer.nullable().meta({
      description: 'More files are to do: ask again with this as afterPath. Null: these were all.',
    }),
  })
  .meta({ id: 'UndoneChanges' });
export type UndoneChanges = z.infer<typeof undoneChanges>;
