// docs/decisions/0059-contents-in-an-index-beside.md
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
import { indexViewOf, readCandidates } from './index-view.ts';
import { LookThrough } from './look-through.ts';
import { readSight } from './read-sight.ts';

export interface ContentQuery extends LineQuestion {
  /** A folder, a file or a glob; empty: everything. */
  readonly path: string;
  /** Only files after this path are looked at; null: all. */
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
  /** Texts that were looked through, or that the index knows to be without it. */
  readonly searchedFiles: number;
  readonly skipped: { readonly notText: number; readonly tooLarge: number };
  /** The first file that was not looked at any more; null: all of them were. */
  readonly stoppedAt: WorkspacePath | null;
  /** Of the lines with the same `after`; null when this page has the last one that was found. */
  readonly nextOffset: number | null;
  /** Where a search that goes on finds everything that is left, and reads least; null when nothing is. */
  readonly next: { readonly after: WorkspacePath | null; readonly offset: number } | null;
}

export type ContentSearchDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'contentIndex' | 'contentScanner' | 'knownNotText' | 'currentContents' | 'pathIndexes'
>;

/** What one search may take. */
export interface ContentBudget {
  readonly milliseconds: number;
  readonly bytes: number;
  /** Read after the page is full, only to count, and only where that is all there is. */
  readonly countedBytes: number;
}

const mebibyte = 1024 * 1024;
export const contentBudget: ContentBudget = {
  milliseconds: 2_000,
  bytes: 64 * mebibyte,
  countedBytes: mebibyte,
};

/**
 * Lines of current texts that hold a text, any case unless told (interface: files, Search in contents). Every change that was
 * acknowledged before is found: what the index has not followed yet is read.
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
    const giveUpAt = performance.now() + budget.milliseconds;
    // Before the snapshot: what is current there at the place of these candidates is among them.
    const candidates = await readCandidates(deps, workspaceId, query.text);
    return deps.store.snapshot(async (reader) => {
      const search = new LookThrough(deps, access, query, { giveUpAt, ...budget });
      const prefix = seenPrefix(scope.prefix, viewer);
      if (prefix !== null) {
        const view = await indexViewOf(reader, workspaceId, candidates);
        const sight = await readSight(reader, deps.pathIndexes.turns, { workspaceId, viewer, prefix });
        await search.run(reader, { ...scope, prefix }, { view, sight });
      }
      return search.found();
    });
  });
}

/** The part of what is asked for that the viewer's key reaches; null: none of it. */
function seenPrefix(prefix: PathPrefix, { within }: Viewer): PathPrefix | null {
  if (isWithin(prefix, within)) return prefix;
  return isWithin(within, prefix) ? within : null;
}
