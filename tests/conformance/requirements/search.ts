import { due } from './requirement.ts';

export const search = due('search', {
  'search.shape': 'A search returns results, totalMatches and truncated.',
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
  'search.limit-malformed': 'A limit that is negative or not a whole number is 400.',
  'search.truncated': 'truncated says whether there were more matches than results.',
  'search.keep': 'Placeholder .keep files are never found.',
  'search.current': 'A deleted or moved file is no longer found at its old path.',
});

export const contentSearch = due('search', {
  'search-content.shape':
    'A search in contents returns files with path, version, contentHash and lines, and its counts.',
  'search-content.literal': 'The text is taken literally; case does not matter unless matchCase.',
  'search-content.context': 'context shows lines before and after, at most 5.',
  'search-content.path':
    'path is a folder, a file or a glob; a bracket without its counterpart is 400, as is a glob beyond its limits.',
  'search-content.pages': 'limit and offset page through the lines; nextOffset is null on the last page.',
  'search-content.next':
    'after looks only at later files; next says where to continue, and is null at the end.',
  'search-content.current': 'A change that was acknowledged is found at once, and the replaced text is not.',
  'search-content.skipped': 'Files that are not text, or over 8 MiB, are counted as skipped.',
  'search-content.query': 'A missing or empty text, or one over 200 characters, is 400.',
  'search-content.long-lines': 'A long line is cut around the match.',
});

export const find = due('search', {
  'find.shape': 'Find returns results, total, isTotalExact, nextCursor and tookMs.',
  'find.result': 'A result has path, name, isDir, version, title, score, matches, changedAt and changedBy.',
  'find.words': 'All words must be in name, path, title, front matter or text, in any order.',
  'find.prefix': 'The last word of a query is also a prefix, no other is.',
  'find.folders': 'Folders are found by their own name and count; their version is null.',
  'find.phrase': 'A phrase in quotes is literal, in any case, and within one line.',
  'find.exclude': '-word and -"a phrase" exclude; an excluded word is whole.',
  'find.or': 'OR between words finds either, and binds tighter than AND.',
  'find.in': 'in:folder/ finds what is in a folder; quotes allow spaces.',
  'find.type': 'type: finds files of a kind or an extension.',
  'find.tag': 'tag: finds markdown files by a tag of their front matter.',
  'find.by': 'by: finds files by the name of the member or key that changed them last, by:agents, by:people.',
  'find.days': 'after: includes its day and before: does not, both in UTC.',
  'find.conflict': 'is:conflict finds conflicted copies.',
  'find.literal': 'An unknown filter, one with an unusable value and a lone quote are words.',
  'find.query': 'A missing or empty query, one over 200 characters or 16 words, is 400.',
  'find.pages': 'A page has 20 results by default, at most 100; cursors cover all results once.',
  'find.lines':
    'A file shows at most 3 lines, cut at 300 characters around the match, with ranges in UTF-16.',
  'find.scripts': 'Text in scripts without spaces is found by any part of at least two characters.',
  'find.identifiers': 'Identifiers are found whole and by their parts.',
  'find.folding': 'Case, diacritics and ß do not matter.',
  'find.rank':
    'Exact name, start of the name, title, headings, path, text; conflicted copies and .keep come last.',
  'find.recent': 'Among equals, the file that changed last comes first.',
  'find.current': 'A change that was acknowledged is found at once, and the replaced text is not.',
});

export const searchOfPrivacy = due('search', {
  'search-content.private': "Another member's private files are not found or counted in contents.",
  'find.private': "Another member's private files and folders are not found or counted by Find.",
  'search.private': "Another member's private items are not found or counted.",
});
