import { principals } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInAnswer, requestPath } from './path.ts';

/** The answer to a write (interface: files, Write). */
export const writtenFile = z.object({ path: pathInAnswer, version: fileVersion }).meta({ id: 'WrittenFile' });
export type WrittenFile = z.infer<typeof writtenFile>;

/** A file in a listing (interface: files, File). */
export const listEntry = z
  .object({ path: pathInAnswer, size: z.int().min(0), contentType: z.string(), version: fileVersion })
  .meta({ id: 'ListEntry' });
export type ListEntry = z.infer<typeof listEntry>;

/** A listing (interface: files, List). */
export const fileList = z
  .object({
    entries: z
      .array(listEntry)
      .meta({ description: 'Every file the caller may see, by code point of its path.' }),
    icons: z.record(z.string(), z.string()).meta({ description: 'Icons of files and folders by path.' }),
    orders: z.record(z.string(), z.int()).meta({ description: 'Places in the custom order by path.' }),
    privatePaths: z.array(z.string()).meta({ description: 'Files and folders private to the caller.' }),
    nextCursor: z.null().meta({ description: 'Always null: the list is whole.' }),
  })
  .meta({ id: 'FileList' });
export type FileList = z.infer<typeof fileList>;

export const moveBody = z
  .object({
    from: requestPath('The file to move.'),
    to: requestPath('Where it goes. Nothing may be there.'),
    baseVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' })
      .optional()
      .meta({ description: 'Move only if the file is still at this version.' }),
  })
  .meta({ id: 'Move' });
export type MoveBody = z.output<typeof moveBody>;

export const moveFolderBody = z
  .object({
    from: requestPath('The old folder.'),
    to: requestPath('The new folder, not inside the old one.'),
  })
  .meta({ id: 'MoveFolder' });
export type MoveFolderBody = z.output<typeof moveFolderBody>;

export const movedFolder = z
  .object({ ok: z.literal(true), from: pathInAnswer, to: pathInAnswer })
  .meta({ id: 'MovedFolder' });
export type MovedFolder = z.infer<typeof movedFolder>;

export const restoreBody = z
  .object({
    path: requestPath('The file, which may have been deleted.'),
    targetVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' }),
  })
  .meta({ id: 'Restore' });
export type RestoreBody = z.output<typeof restoreBody>;

export const restoredFile = z
  .object({ path: pathInAnswer, version: fileVersion, restoredFrom: fileVersion })
  .meta({ id: 'RestoredFile' });
export type RestoredFile = z.infer<typeof restoredFile>;

export const versionRecord = z
  .object({
    version: fileVersion,
    size: z.int().min(0),
    contentType: z.string(),
    contentHash: hash,
    op: z.enum(['write', 'move', 'conflict', 'restore']),
    principal: z.enum(principals),
    actorId: z.string(),
    actorKeyId: z.string().nullable(),
    actorLabel: z.string().nullable(),
    createdAt: isoTime,
    movedFrom: pathInAnswer.optional().meta({
      description:
        'On version 1 of a moved file: where it came from, and where the versions after this one are read.',
    }),
  })
  .meta({ id: 'FileVersion' });
export type VersionRecord = z.infer<typeof versionRecord>;

export const versionList = z
  .object({ versions: z.array(versionRecord).meta({ description: 'Newest first.' }) })
  .meta({ id: 'FileVersionList' });
export type VersionList = z.infer<typeof versionList>;
