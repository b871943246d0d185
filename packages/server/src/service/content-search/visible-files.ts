import { setImmediate as nextTick } from 'node:timers/promises';
import { type PathPrefix, type Viewer, visibilityOf, type WorkspacePath } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { FileList } from '../search/current-files.ts';
import { locationOf } from '../search/read-files.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** The files that a viewer may see, by path. */
export interface VisibleFiles {
  readonly reader: Reader;
  readonly pages: AsyncIterable<readonly CurrentContent[]>;
}

interface FilesWanted {
  /** A folder or a file; empty: everything. */
  readonly prefix: PathPrefix;
  /** Null: from the first. */
  readonly afterPath: WorkspacePath | null;
}

const pageRows = 2000;

/**
 * Calls `look` with the files that the caller may see. Below a folder the database returns visible files only, and takes
 * no longer for hidden ones. The list of all files is cached.
 */
export async function withVisibleFiles<Result>(
  { store, currentFiles }: Pick<ServiceDeps, 'store' | 'currentFiles'>,
  { workspace, viewer }: WorkspaceAccess,
  wanted: FilesWanted,
  look: (files: VisibleFiles) => Promise<Result>,
): Promise<Result> {
  if (wanted.prefix !== '') {
    return store.snapshot((reader) =>
      look({ reader, pages: pagesBelow(reader, { workspaceId: workspace.id, viewer, ...wanted }) }),
    );
  }
  const list = await currentFiles.read(workspace.id);
  return look({ reader: store.reader, pages: pagesOf(list, viewer, wanted.afterPath) });
}

async function* pagesBelow(
  reader: Reader,
  query: FilesWanted & { readonly workspaceId: string; readonly viewer: Viewer },
): AsyncGenerator<readonly CurrentContent[]> {
  for (let { afterPath } = query; ; ) {
    const page: readonly CurrentContent[] = await reader.files.detailedPage({
      ...query,
      afterPath,
      limit: pageRows,
    });
    yield page;
    if (page.length < pageRows) return;
    afterPath = page.at(-1)?.path ?? null;
    await nextTick();
  }
}

async function* pagesOf(
  { files, ownerByPath }: FileList,
  viewer: Viewer,
  afterPath: WorkspacePath | null,
): AsyncGenerator<readonly CurrentContent[]> {
  const isSeen = visibilityOf(viewer, ownerByPath);
  const meter = createWorkMeter();
  let at = afterPath === null ? 0 : locationOf(files, afterPath);
  if (files[at]?.path === afterPath) at += 1;
  for (; at < files.length; at += pageRows) {
    const page: CurrentContent[] = [];
    for (const file of files.slice(at, at + pageRows)) {
      await meter.spend(file.path.length);
      if (isSeen(file)) page.push(file);
    }
    yield page;
    await nextTick();
  }
}
