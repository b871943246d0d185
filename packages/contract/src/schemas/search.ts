import { searchLimitDefault, searchLimitMax, searchQueryMaxCharacters } from '@stoa/core';
import { z } from 'zod';
import { pathInAnswer } from './path.ts';
import { line } from './text.ts';
import { pageSize } from './whole-number.ts';

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

/** A place that a search found (interface: files, Search). */
const searchResult = z
  .object({
    path: pathInAnswer,
    name: z.string(),
    isDir: z.boolean(),
    score: z.number().meta({ description: 'Higher is better; comparable within one answer only.' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResult>;

export const searchAnswer = z
  .object({
    results: z.array(searchResult).meta({ description: 'Best first.' }),
    totalMatches: z.int().min(0),
    truncated: z.boolean().meta({ description: 'True when there are more matches than results.' }),
  })
  .meta({ id: 'SearchAnswer' });
