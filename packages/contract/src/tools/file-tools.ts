import {
  nodeIconMaxCharacters,
  nodeKinds,
  searchLimitDefault,
  searchLimitMax,
  searchQueryMaxCharacters,
} from '@stoa/core';
import { z } from 'zod';
import { listPageMaxEntries, readWindowMaxBytes } from '../limits.ts';
import { line } from '../schemas/text.ts';
import { choice, contentEncoding, pageSizeUpTo, toolPath, wholeNumberFrom } from './fields.ts';
import { defineTool, readsOnly } from './tool.ts';

/** Tools for files (interface: mcp, File tools). */
export const fileTools = {
  listFiles: defineTool({
    name: 'list_files',
    title: 'List files',
    description:
      'Lists files by path, a line each: path, tab, version and size. The last line says where to continue.',
    reach: 'workspace',
    resultMaxCharacters: 120_000,
    hints: readsOnly,
    input: z.object({
      prefix: z
        .string({ error: 'must be a folder, like notes' })
        .optional()
        .transform((prefix = '') => prefix)
        .meta({ description: 'A folder' }),
      limit: pageSizeUpTo(listPageMaxEntries, listPageMaxEntries),
      offset: wholeNumberFrom(0)
        .optional()
        .transform((offset = 0) => offset),
    }),
  }),
  searchFiles: defineTool({
    name: 'search_files',
    title: 'Search file names',
    description: 'Finds files and folders by fuzzy match on names and paths, not contents, best first.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      query: line({ min: 1, max: searchQueryMaxCharacters }, 'mtgnt finds meeting-notes.md; *.csv'),
      limit: pageSizeUpTo(searchLimitMax, searchLimitDefault),
    }),
  }),
  readFile: defineTool({
    name: 'read_file',
    title: 'Read file',
    description:
      'Reads a file and its version, which write_file takes as baseVersion. At most 1 MiB a call: read a larger file in windows, starting at offset 0 and continuing at nextOffset. Use base64 for anything but text.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      path: toolPath(),
      encoding: contentEncoding,
      maxBytes: wholeNumberFrom(1)
        .optional()
        .transform((bytes) => (bytes === undefined ? undefined : Math.min(bytes, readWindowMaxBytes))),
      offset: wholeNumberFrom(0, 'First byte').optional(),
    }),
  }),
  writeFile: defineTool({
    name: 'write_file',
    title: 'Write file',
    description:
      'Creates or replaces a file with its complete new content; missing folders are created. To change a file, give the version you read as baseVersion. If it changed since, ok is false and your content is saved at conflictCopyPath: read again, merge, write.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: true },
    input: z.object({
      path: toolPath(),
      content: z.string({ error: 'must be a text: the complete new content' }),
      baseVersion: wholeNumberFrom(1, 'Omit for a new file').optional(),
      encoding: contentEncoding,
    }),
  }),
  moveFile: defineTool({
    name: 'move_file',
    title: 'Move file',
    description:
      'Moves or renames one file, with its comments. It restarts at version 1. Fails if the destination exists.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: false, idempotent: true },
    input: z.object({ from: toolPath(), to: toolPath() }),
  }),
  deleteFile: defineTool({
    name: 'delete_file',
    title: 'Delete file',
    description:
      'Deletes a file if it is still at the version you read (baseVersion). restore_file brings back any version later.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({
      path: toolPath(),
      baseVersion: wholeNumberFrom(1, undefined, 'the version that you read, as list_files shows it'),
    }),
  }),
  setFileIcon: defineTool({
    name: 'set_file_icon',
    title: 'Set icon',
    description: 'Sets the icon of a file or folder: an emoji or an icon name. Empty or omitted clears it.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({
      path: toolPath(),
      icon: line({ min: 0, max: nodeIconMaxCharacters }, `At most ${nodeIconMaxCharacters}`)
        .optional()
        .transform((icon = '') => (icon === '' ? null : icon)),
    }),
  }),
  setPrivate: defineTool({
    name: 'set_private',
    title: 'Set private',
    description:
      'Hides a file, or a folder and all in it, from other members and ends its share links; private false shares it again, which only its owner can.',
    reach: 'workspace',
    hints: { readOnly: false, destructive: true, idempotent: true },
    input: z.object({
      path: toolPath(),
      kind: choice(nodeKinds)
        .optional()
        .transform((kind = 'folder') => kind)
        .meta({ description: 'Default folder' }),
      private: z
        .boolean({ error: 'must be true or false' })
        .optional()
        .transform((wanted = true) => wanted)
        .meta({ description: 'Default true' }),
    }),
  }),
};
