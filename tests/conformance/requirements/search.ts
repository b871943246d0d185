import { due } from './requirement.ts';

export const search = due('search', {
  'search.shape': 'A search answers results, totalMatches and truncated.',
  'search.result': 'A result has path, name, isDir and score.',
  'search.fuzzy': "The query's characters must appear in order and need not be adjacent.",
  'search.case': 'Search does not care about case.',
  'search.folders': 'Folders are found as well as files.',
  'search.not-contents': 'Contents are not searched.',
  'search.ranked': 'Results are ranked best first; a higher score is better.',
  'search.exact-first': 'A file whose name is the query comes before one that merely contains its letters.',
  'search.none': 'A query that matches nothing is an empty result.',
  'search.required': 'A missing or empty query is 400.',
  'search.query-length': 'A query of 200 characters is accepted; a longer one is 400.',
  'search.limit-default': 'Without a limit at most 50 results come back.',
  'search.limit': 'A limit bounds the results, and totalMatches still counts all.',
  'search.limit-max': 'A limit above 200 means 200.',
  'search.limit-malformed': 'A limit that is no whole number, or negative, is 400.',
  'search.truncated': 'truncated says whether there were more matches than results.',
  'search.keep': 'Placeholder .keep files are never found.',
  'search.current': 'A deleted or moved file is no longer found at its old path.',
});

export const searchOfPrivacy = due('search', {
  'search.private': "Another member's private items are neither found nor counted.",
});
