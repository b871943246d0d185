import { principals } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInAnswer, requestHash, requestPath } from './path.ts';

/** The answer to a write (interface: files, Write). */
export const writtenFile = z.object({ path: pathInAnswer, version: fileVersion }).meta({ id: 'WrittenFile' });

/** A file in a listing (interface: files, File). */
const listEntry = z
  .object({
    path: pathInAnswer,
    size: z.int().min(0),
    contentType: z.string(),
    version: fileVersion,
    contentHash: hash.optional(),
    changedAt: isoTime.optional(),
    principal: z.enum(principals).optional(),
    actorId: z.string().optional(),
    actorKeyId: z.string().nullable().optional(),
    actorLabel: z.string().nullable().optional(),
    frontMatter: z
      .object({
        date: z.iso.date().optional(),
        title: z.string().max(400).optional(),
        view: z.literal('calendar').optional(),
      })
      .optional()
      .meta({ description: 'Of a markdown file whose front matter says one of these.' }),
  })
  .meta({ id: 'ListEntry', description: 'Everything after the version stands there with details=1 only.' });
type ListEntry = z.infer<typeof listEntry>;

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

/** A listing as `details=1` asks for it. */
export type DetailedFileList = Omit<FileList, 'entries'> & {
  entries: (Required<Omit<ListEntry, 'frontMatter'>> & Pick<ListEntry, 'frontMatter'>)[];
};

export const moveBody = z
  .object({
    from: requestPath('The file to move.'),
    to: requestPath('Where it goes. Nothing may be there.'),
    baseVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' })
      .optional()
      .meta({ description: 'Move only if the file is still at this version.' }),
    baseContentHash: requestHash(
      'Beside baseVersion: move only if that version has this content. Version numbers begin again, hashes do not.',
    ).optional(),
  })
  .refine(({ baseVersion, baseContentHash }) => baseContentHash === undefined || baseVersion !== undefined, {
    path: ['baseContentHash'],
    error: 'needs baseVersion beside it',
  })
  .meta({ id: 'Move' });
export type MoveBody = z.output<typeof moveBody>;

export const moveFolderBody = z
  .object({
    from: requestPath('The old folder.'),
    to: requestPath('The new folder, not inside the old one.'),
    files: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .describe('Move the files in it as well, up to 1000, in the same transaction.'),
  })
  .meta({ id: 'MoveFolder' });

export const movedFolder = z
  .object({
    ok: z.literal(true),
    from: pathInAnswer,
    to: pathInAnswer,
    files: z.int().optional().describe('How many files were moved, where they were asked for.'),
  })
  .meta({ id: 'MovedFolder' });

export const restoreBody = z
  .object({
    path: requestPath('The file, which may have been deleted.'),
    targetVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' }),
    contentHash: requestHash(
      'Its content hash: then any version that the list of versions shows is found, from before moves too.',
    ).optional(),
  })
  .meta({ id: 'Restore' });

export const restoredFile = z
  .object({ path: pathInAnswer, version: fileVersion, restoredFrom: fileVersion })
  .meta({ id: 'RestoredFile' });

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
        'On every version from before a move: the path at which it was written and is read by its number alone.',
    }),
    conflictBase: fileVersion.nullable().optional().meta({
      description: 'On a conflicted copy: the version of the file that its writer had read; null: not known.',
    }),
    conflictBaseHash: hash.nullable().optional().meta({ description: 'What that version held.' }),
  })
  .meta({ id: 'FileVersion' });
export type VersionRecord = z.infer<typeof versionRecord>;

export const versionList = z
  .object({ versions: z.array(versionRecord).meta({ description: 'Newest first.' }) })
  .meta({ id: 'FileVersionList' });
