import {
  fileNameOf,
  isGlob,
  isWithin,
  type PathPrefix,
  parsePathGlob,
  parsePathPrefix,
  type WorkspacePath,
} from '@stoa/core';

/** The files that a search is about. */
export interface ContentScope {
  readonly prefix: PathPrefix;
  readonly includes: (path: WorkspacePath) => boolean;
  /** Paths looked at between two turns of other requests. */
  readonly rowsAtOnce: number;
}

const rowsAtOnce = 2000;
/** A hostile pattern takes some microseconds for each path. */
const rowsAtOnceByGlob = 500;

/**
 * A folder, a file, or a glob: for names, or for whole paths when it has a slash.
 * @throws WorkspaceError `invalid_path`, `invalid_request` for a glob that cannot be read.
 */
export function parseContentScope(path: string): ContentScope {
  if (!isGlob(path) && !/[[\]]/.test(path)) {
    return { prefix: parsePathPrefix(path), includes: () => true, rowsAtOnce };
  }
  const glob = parsePathGlob(path.normalize('NFC').replace(/^(\.?\/)+/, ''));
  // Brackets alone stand in names as well.
  const named = isGlob(path) ? null : parsePathPrefix(path);
  return {
    prefix: parsePathPrefix(''),
    includes: (file) =>
      glob.matches(glob.isOfPaths ? file : fileNameOf(file)) || (named !== null && isWithin(file, named)),
    rowsAtOnce: rowsAtOnceByGlob,
  };
}
