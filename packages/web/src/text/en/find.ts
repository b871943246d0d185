import { findQueryMaxWords, numberText } from '@stoa/core';
import { counted } from '../plurals.ts';

/** Texts of the page of results, and of the filters of a search. */
export const find = {
  title: 'Find',
  field: 'Find files and text',
  results: 'Results',
  allResults: 'All results',
  theResults: 'The results',
  textResults: 'Results in texts',
  total: (count: number, isExact: boolean) =>
    isExact
      ? counted(count, 'result', 'results')
      : `At least ${numberText(count)} ${count === 1 ? 'result' : 'results'}`,
  line: 'Line',
  changed: 'Changed',
  by: 'by',
  showMore: 'Show more',
  nothing: 'Nothing matches.',
  tooLong: `Use at most ${findQueryMaxWords} words.`,
  recentSearches: 'Recent searches',
  filters: 'Filters',
  addFilter: (filter: string) => `Add filter ${filter}`,
  removeFilter: (filter: string) => `Remove filter ${filter}`,
  help: 'How to search',
  helpRows: [
    ['budget launch', 'both words, in any order, in the name or in the text'],
    ['"launch day"', 'these words next to each other'],
    ['-draft', 'not this word'],
    ['boat OR ship', 'one of these words'],
    ['in:notes/', 'in this folder'],
    ['type:md, type:image, type:pdf', 'files of this type'],
    ['by:ada, by:people, by:agents', 'last changed by'],
    ['tag:menu', 'with this tag in the front matter'],
    ['after:2026-10-01, before:2026-11-01', 'last changed in this time'],
    ['is:conflict', 'conflicted copies'],
  ],
} as const;
