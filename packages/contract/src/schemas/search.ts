import {
  contentContextMax,
  contentLinesDefault,
  contentLinesMax,
  contentQueryMaxCharacters,
  findLimitDefault,
  findLimitMax,
  findQueryMaxCharacters,
  findQueryMaxWords,
  foundLineMaxCharacters,
  globMaxCharacters,
  globMaxStars,
  hasCharacters,
  matchingLineMaxCharacters,
  matchingLinesMax,
  searchedFileMaxBytes,
  searchLimitDefault,
  searchLimitMax,
  searchQueryMaxCharacters,
} from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInResponse } from './path.ts';
import { flag, pageSize, wholeNumber } from './query-values.ts';
import { line } from './text.ts';

export const searchQuery = z.object({
  q: line(
    { min: 1, max: searchQueryMaxCharacters },
    'Its characters must appear in this order, not side by side.',
  ),
  limit: pageSize(
    { min: 0, max: searchLimitMax, otherwise: searchLimitDefault },
    `How many results; above ${searchLimitMax} counts as ${searchLimitMax}.`,
  ),
});
export type SearchQuery = z.output<typeof searchQuery>;

/** A file or folder that a search found (interface: files, Search). */
const searchResult = z
  .object({
    path: pathInResponse,
    name: z.string(),
    isDir: z.boolean(),
    score: z.number().meta({ description: 'Higher is better; comparable within one response only.' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResult>;

export const searchResponse = z
  .object({
    results: z.array(searchResult).meta({ description: 'Best first.' }),
    totalMatches: z.int().min(0),
    truncated: z.boolean().meta({ description: 'True when there are more matches than results.' }),
  })
  .meta({ id: 'SearchAnswer' });

const contentQueryRule = `must be the text to find, of 1 to ${contentQueryMaxCharacters} characters`;

/** Any characters, because a search can look for any text that a line can contain. */
export function contentQueryText() {
  return z
    .string({ error: contentQueryRule })
    .refine((text) => hasCharacters(text, { min: 1, max: contentQueryMaxCharacters }), {
      error: contentQueryRule,
      abort: true,
    })
    .refine((text) => text.isWellFormed(), { error: 'contains half a character (a lone surrogate)' });
}

export const contentSearchQuery = z.object({
  q: contentQueryText().meta({ description: 'Taken literally, and found within one line.' }),
  path: z
    .string({ error: 'must be a path or a glob' })
    .optional()
    .transform((path = '') => path)
    .meta({
      description: `A folder, a file or a glob: \`*\` within a segment, \`**\` across, \`?\`, \`[ab]\`; at most ${globMaxCharacters} characters and ${globMaxStars} stars.`,
    }),
  matchCase: flag('Matches upper and lower case exactly.'),
  context: pageSize(
    { min: 0, max: contentContextMax, otherwise: 0 },
    `Lines shown around each; above ${contentContextMax} counts as ${contentContextMax}.`,
  ),
  limit: pageSize(
    { min: 0, max: contentLinesMax, otherwise: contentLinesDefault },
    `Number of lines, from 1 to ${contentLinesMax}; other numbers count as the nearest.`,
  ).transform((limit) => Math.max(limit, 1)),
  after: z
    .string({ error: 'must be the path of a file' })
    .min(1, { error: 'must be the path of a file' })
    .optional()
    .meta({ description: 'Searches only files after this path: `next.after` of the previous response.' }),
  offset: wholeNumber({ min: 0 }, 'Lines to skip: `nextOffset` of the previous response.').optional(),
});

const around = z.array(z.string()).optional();

/** A line that contains the text (interface: files, Search in contents). */
const foundLine = z
  .object({
    line: z.int().min(1).meta({ description: 'From 1.' }),
    text: z.string().meta({
      description: `Without its line break. Beyond ${foundLineMaxCharacters} characters only the part around the match, with … where it is cut.`,
    }),
    before: around.meta({ description: 'The lines before, if context was requested.' }),
    after: around.meta({ description: 'The lines after.' }),
  })
  .meta({ id: 'FoundLine' });

const foundFile = z
  .object({ path: pathInResponse, version: fileVersion, contentHash: hash, lines: z.array(foundLine) })
  .meta({ id: 'FoundFile' });
export type FoundFileRecord = z.infer<typeof foundFile>;

const count = z.int().min(0);

export const contentSearchResponse = z
  .object({
    files: z.array(foundFile).meta({ description: 'By path; those with lines on this page.' }),
    totalLines: count.meta({ description: 'On all pages.' }),
    totalFiles: count,
    searchedFiles: count.meta({ description: 'Text files, with and without matches.' }),
    skipped: z.object({
      notText: count,
      tooLarge: count.meta({ description: `Over ${searchedFileMaxBytes / 1024 / 1024} MiB.` }),
    }),
    truncated: z.boolean().meta({
      description:
        'True if the search stopped before all files: the totals count the files it searched. Continue with `next`, or narrow `path`.',
    }),
    nextOffset: count.nullable().meta({ description: 'Null on the last page.' }),
    next: z.object({ after: pathInResponse.nullable(), offset: count }).nullable().meta({
      description:
        'Values of `after` and `offset` that continue the search, even if it stopped early; null at the end.',
    }),
  })
  .meta({ id: 'ContentSearchAnswer' });
export type ContentSearchResponse = z.infer<typeof contentSearchResponse>;

export const findQuery = z.object({
  q: z.string({ error: 'must be the words to find' }).meta({
    description: `Words in any order, "a phrase", -word, OR, and filters like in:docs/ or type:md; at most ${findQueryMaxCharacters} characters and ${findQueryMaxWords} words.`,
  }),
  limit: pageSize(
    { min: 1, max: findLimitMax, otherwise: findLimitDefault },
    `How many results; above ${findLimitMax} counts as ${findLimitMax}.`,
  ),
  cursor: z
    .string({ error: 'must be the nextCursor of a response' })
    .regex(/^\d{1,9}$/, { error: 'must be the nextCursor of a response' })
    .optional()
    .meta({ description: '`nextCursor` of the previous response.' }),
});

const matchingLine = z
  .object({
    line: z.int().min(1).meta({ description: 'From 1.' }),
    text: z.string().meta({
      description: `Without its line break. Beyond ${matchingLineMaxCharacters} characters only the part around the first match, with … where it is cut.`,
    }),
    ranges: z
      .array(z.tuple([count, count]))
      .meta({ description: 'Start and end of each match, in UTF-16 units of `text`.' }),
  })
  .meta({ id: 'MatchingLine' });

/** A file or folder that matches a query (interface: files, Find). */
const findResult = z
  .object({
    path: pathInResponse,
    name: z.string(),
    isDir: z.boolean(),
    version: fileVersion
      .nullable()
      .meta({ description: 'Null for a folder, like `title`, `changedAt` and `changedBy`.' }),
    title: z.string().nullable().meta({ description: 'Of a markdown file that has one.' }),
    score: z.number().meta({ description: 'Higher is better; comparable within one query only.' }),
    matches: z
      .array(matchingLine)
      .meta({ description: `At most ${matchingLinesMax} lines; empty for a match by name or filter alone.` }),
    changedAt: isoTime.nullable(),
    changedBy: z.string().nullable().meta({ description: 'Name of the member or key that changed it last.' }),
  })
  .meta({ id: 'FindResult' });
export type FindResultRecord = z.infer<typeof findResult>;

export const findResponse = z
  .object({
    results: z.array(findResult).meta({ description: 'Best first.' }),
    total: count.meta({ description: 'Number of results on all pages.' }),
    isTotalExact: z.boolean().meta({
      description: 'False if the search ended before all texts were read: there may be more results.',
    }),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    tookMs: z.number().min(0),
  })
  .meta({ id: 'FindAnswer' });
export type FindResponse = z.infer<typeof findResponse>;
