export * from './actor.ts';
export * from './anchoring/index.ts';
export * from './audit.ts';
export type { Brand } from './brand.ts';
export * from './colors.ts';
export * from './comments.ts';
export * from './decide-attempt.ts';
export * from './decide-invite.ts';
export * from './decide-share.ts';
export * from './device.ts';
export * from './editing/index.ts';
export * from './errors.ts';
export * from './feed-page.ts';
export * from './files/conflicted-copy-path.ts';
export * from './files/content.ts';
export * from './files/content-type.ts';
export * from './files/data-picture.ts';
export * from './files/decide-delete.ts';
export * from './files/decide-quota.ts';
export * from './files/decide-write.ts';
export * from './files/front-matter-block.ts';
export * from './files/rebase-change.ts';
export * from './find/file-type.ts';
export * from './find/find-asked-words.ts';
export * from './find/find-query.ts';
export * from './find/find-word-lines.ts';
export * from './find/literal-tokens.ts';
export * from './find/match-file.ts';
export * from './find/rank-files.ts';
export * from './find/words.ts';
export * from './grant.ts';
export * from './icons.ts';
export * from './ignore/index.ts';
export * from './limits.ts';
export * from './members.ts';
export * from './merge/index.ts';
export * from './names/index.ts';
export * from './search/find-lines.ts';
export {
  type Glob,
  globMaxCharacters,
  globMaxStars,
  isGlob,
  parseGlob,
  parsePathGlob,
} from './search/glob.ts';
export {
  type SearchOutcome,
  type SearchPrivacy,
  type SearchResult,
  searchPaths,
} from './search/search-paths.ts';
export { parseSearchQuery, type SearchQuery } from './search/search-query.ts';
export { searchSlips } from './search/search-slips.ts';
export { type SearchedPath, searchedPath } from './search/searched-path.ts';
export * from './sync/index.ts';
export * from './text/shown-text.ts';
export * from './text/sizes.ts';
export * from './text/utf8-text.ts';
export * from './visibility.ts';
export * from './visible-line.ts';
export * from './vocabulary.ts';
export * from './workspace-path.ts';
