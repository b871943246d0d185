import {
  fileNameOf,
  globMaxCharacters,
  isGlob,
  isWithin,
  type PathPrefix,
  parsePathGlob,
  parsePathPrefix,
  type WorkspacePath,
} from '@stoa/core';

export interface ContentScope {
  readonly prefix: PathPrefix;
  readonly includes: (path: WorkspacePath) => boolean;
  /** Cost of `includes` for each character of a path, in `WorkMeter` units. */
  readonly words: number;
}

/**
 * Parses a folder, a file, or a glob: a glob matches names, or whole paths when it contains a slash.
 * @throws WorkspaceError `invalid_path`, `invalid_request` for a glob that is malformed or beyond its limits.
 */
export function parseContentScope(path: string): ContentScope {
  // Names may also contain brackets, and may be longer than a glob.
  if (!isGlob(path) && (!/[[\]]/.test(path) || path.length > globMaxCharacters)) {
    return { prefix: parsePathPrefix(path), includes: () => true, words: 0 };
  }
  const glob = parsePathGlob(path.normalize('NFC').replace(/^(\.?\/)+/, ''));
  const named = isGlob(path) ? null : parsePathPrefix(path);
  return {
    prefix: parsePathPrefix(''),
    includes: (file) =>
      glob.matches(glob.isOfPaths ? file : fileNameOf(file)) || (named !== null && isWithin(file, named)),
    words: glob.words,
  };
}
