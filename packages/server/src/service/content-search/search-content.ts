// docs/decisions/0026-content-index.md
import {
  type FoundLine,
  isWithin,
  type LineQuestion,
  type PathPrefix,
  type Viewer,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { parseContentScope } from './content-scope.ts';
import { literalViewOf } from './literal-view.ts';
import { LookThrough } from './look-through.ts';
import { withVisibleFiles } from './visible-files.ts';

export interface ContentQuery extends LineQuestion {
  /** A folder, a file or a glob; empty: everything. */
  readonly path: string;
  /** Limits the search to files after this path; null: all. */
  readonly after: WorkspacePath | null;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundFile extends Pick<FileRow, 'path' | 'version' | 'contentHash'> {
  readonly lines: readonly FoundLine[];
}

export interface ContentFound {
  /** By path, those with lines on this page. */
  readonly files: readonly FoundFile[];
  readonly totalLines: number;
  readonly totalFiles: number;
  /** Texts that were scanned, or that the index knows not to contain the text. */
  readonly searchedFiles: number;
  readonly skipped: { readonly notText: number; readonly tooLarge: number };
  /** The first file that was not searched; null: all were. */
  readonly stoppedAt: WorkspacePath | null;
  /** For the same `after`; null when this page has the last line that was found. */
  readonly nextOffset: number | null;
  /** Start of a search that finds the rest with the least reading; null at the end. */
  readonly next: { readonly after: WorkspacePath | null; readonly offset: number } | null;
}

export type ContentSearchDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'indexedTexts' | 'contentScanner' | 'currentFiles'
>;

export interface ContentBudget {
  readonly milliseconds: number;
  readonly bytes: number;
  /** Bytes to read after the page is full, only to complete the count. */
  readonly countedBytes: number;
}

const mebibyte = 1024 * 1024;
export const contentBudget: ContentBudget = {
  milliseconds: 2_000,
  bytes: 64 * mebibyte,
  countedBytes: mebibyte,
};

/**
 * Finds lines of current texts that contain a text, case-insensitive by default (interface: files, Search in contents).
 * It covers every change that was acknowledged before: contents that the index lacks are read.
 * @throws WorkspaceError `invalid_request`, `invalid_path`, `overloaded`
 */
export function searchContent(
  deps: ContentSearchDeps,
  access: WorkspaceAccess,
  query: ContentQuery,
  budget: ContentBudget = contentBudget,
): Promise<ContentFound> {
  const scope = parseContentScope(query.path);
  const { viewer } = access;
  const workspaceId = access.workspace.id;
  return deps.contentScanner.searching(workspaceId, async () => {
    const prefix = seenPrefix(scope.prefix, viewer);
    if (prefix === null) return nothingFound;
    return withVisibleFiles(deps, access, { prefix, afterPath: query.after }, async (files) => {
      const giveUpAt = performance.now() + budget.milliseconds;
      const search = new LookThrough(deps, workspaceId, files, query, { giveUpAt, ...budget });
      const view = await literalViewOf(deps.indexedTexts, { workspaceId, viewer }, query.text);
      await search.run(scope, view);
      return search.found();
    });
  });
}

const nothingFound: ContentFound = {
  files: [],
  totalLines: 0,
  totalFiles: 0,
  searchedFiles: 0,
  skipped: { notText: 0, tooLarge: 0 },
  stoppedAt: null,
  nextOffset: null,
  next: null,
};

/** Intersects the prefix with the viewer's key; null: empty. */
function seenPrefix(prefix: PathPrefix, { within }: Viewer): PathPrefix | null {
  if (isWithin(prefix, within)) return prefix;
  return isWithin(within, prefix) ? within : null;
}
