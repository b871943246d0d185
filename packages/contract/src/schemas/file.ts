import { principals } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInResponse, requestHash, requestPath } from './path.ts';

/** The response to a write (interface: files, Write). */
export const writtenFile = z
  .object({ path: pathInResponse, version: fileVersion })
  .meta({ id: 'WrittenFile' });

/** A file in a listing (interface: files, File). */
const listEntry = z
  .object({
    path: pathInResponse,
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
      .meta({ description: 'Only for a markdown file whose front matter has one of these.' }),
  })
  .meta({ id: 'ListEntry', description: 'Fields after version are present with details=1 only.' });
type ListEntry = z.infer<typeof listEntry>;

/** A listing (interface: files, List). */
export const fileList = z
  .object({
    entries: z
      .array(listEntry)
      .meta({ description: 'Every file the caller may see, by code point of its path.' }),
    icons: z.record(z.string(), z.string()).meta({ description: 'Icons of files and folders by path.' }),
    orders: z.record(z.string(), z.int()).meta({ description: 'Positions in the custom order by path.' }),
    privatePaths: z.array(z.string()).meta({ description: 'Files and folders private to the caller.' }),
    nextCursor: z.null().meta({ description: 'Always null: the list is complete.' }),
  })
  .meta({ id: 'FileList' });
export type FileList = z.infer<typeof fileList>;

/** A listing with `details=1`. */
export type DetailedFileList = Omit<FileList, 'entries'> & {
  entries: (Required<Omit<ListEntry, 'frontMatter'>> & Pick<ListEntry, 'frontMatter'>)[];
};

export const moveBody = z
  .object({
    from: requestPath('The file to move.'),
    to: requestPath('The new path, which must be free.'),
    baseVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' })
      .optional()
      .meta({ description: 'Move only if the file is still at this version.' }),
    baseContentHash: requestHash(
      'With baseVersion: move only if that version has this content. Version numbers restart, hashes do not.',
    ).optional(),
  })
  .refine(({ baseVersion, baseContentHash }) => baseContentHash === undefined || baseVersion !== undefined, {
    path: ['baseContentHash'],
    error: 'needs baseVersion',
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
    from: pathInResponse,
    to: pathInResponse,
    files: z.int().optional().describe('Number of files moved, if requested.'),
  })
  .meta({ id: 'MovedFolder' });

export const restoreBody = z
  .object({
    path: requestPath('The file, which may have been deleted.'),
    targetVersion: z
      .int({ error: 'must be a version, a whole number of at least 1' })
      .min(1, { error: 'must be a version, a whole number of at least 1' }),
    contentHash: requestHash(
      'Its content hash: finds any version in the list of versions, including those from before moves.',
    ).optional(),
  })
  .meta({ id: 'Restore' });

export const restoredFile = z
  .object({ path: pathInResponse, version: fileVersion, restoredFrom: fileVersion })
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
    movedFrom: pathInResponse.optional().meta({
      description:
        'For versions from before a move: the path at which it was written, where its number alone identifies it.',
    }),
    conflictBase: fileVersion.nullable().optional().meta({
      description:
        'For a conflicted copy: the version of the file that its writer had read; null if unknown.',
    }),
    conflictBaseHash: hash.nullable().optional().meta({ description: 'The content hash of that version.' }),
  })
  .meta({ id: 'FileVersion' });
export type VersionRecord = z.infer<typeof versionRecord>;

export const versionList = z
  .object({ versions: z.array(versionRecord).meta({ description: 'Newest first.' }) })
  .meta({ id: 'FileVersionList' });
