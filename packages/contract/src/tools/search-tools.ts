import { contentContextMax, contentLinesDefault, contentLinesMax } from '@stoa/core';
import { z } from 'zod';
import { contentQueryText } from '../schemas/search.ts';
import { choice } from './fields.ts';
import { defineTool, readsOnly, unpublished } from './tool.ts';

/** Tools that search contents (interface: mcp, Searching contents). */
export const searchTools = {
  searchContent: defineTool({
    name: 'search_content',
    title: 'Search contents',
    description:
      'Finds text in files, like grep: path, version, numbered lines, ready for edit_file. Any case. Mode phrase: literal; words: any order, ranked.',
    reach: 'workspace',
    hints: readsOnly,
    input: z.object({
      query: contentQueryText(),
      mode: choice(['phrase', 'words'])
        .optional()
        .transform((mode = 'phrase') => mode),
      path: z
        .string({ error: 'must be a folder or a glob, like notes/**.md' })
        .optional()
        .meta({ description: 'Folder or glob' }),
      context: clamped({ min: 0, max: contentContextMax, otherwise: 0 }).meta({
        description: 'Lines around',
      }),
      matchCase: z
        .boolean({ error: 'must be true or false' })
        .optional()
        .transform((matchCase = false) => matchCase),
      limit: clamped({ min: 1, max: contentLinesMax, otherwise: contentLinesDefault }),
      offset: clamped({ min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
      after: z
        .string({ error: 'must be the path of a file' })
        .min(1, { error: 'must be the path of a file' })
        .optional()
        .meta({ [unpublished]: true }),
    }),
  }),
};

/** A number out of range counts as the nearest one within. */
function clamped({
  min,
  max,
  otherwise,
}: {
  readonly min: number;
  readonly max: number;
  readonly otherwise: number;
}) {
  return z
    .int({ error: 'must be a whole number' })
    .optional()
    .transform((value = otherwise) => Math.min(Math.max(value, min), max));
}
