import { anonymous, placeholderName, type WorkspacePath } from '@stoa/core';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface SharedFolder {
  /** Names, by code point. */
  readonly folders: readonly string[];
  readonly files: readonly (Pick<FileRow, 'sizeBytes'> & { readonly name: string })[];
  /** True when the folder has more entries than a page. */
  readonly isCut: boolean;
}

const entriesMax = 1000;
const filesPerStep = 200;
/** A step skips the rest of a folder at once, so that one level is listed without reading everything below it. */
const stepsMax = 200;

/** Lists one level of a shared folder, as an anonymous visitor may see it. */
export async function listSharedFolder(
  { store }: Pick<ServiceDeps, 'store'>,
  workspaceId: string,
  folder: WorkspacePath,
): Promise<SharedFolder> {
  const folders = new Set<string>();
  const files: SharedFolder['files'][number][] = [];
  const nameStart = folder.length + 1;
  let afterPath: WorkspacePath | null = null;
  for (let step = 0; step < stepsMax; step += 1) {
    const page: readonly FileRow[] = await store.reader.files.page({
      workspaceId,
      viewer: anonymous,
      prefix: folder,
      afterPath,
      limit: filesPerStep,
    });
    for (const { path, sizeBytes } of page) {
      const slash = path.indexOf('/', nameStart);
      if (slash !== -1) folders.add(path.slice(nameStart, slash));
      else if (path.slice(nameStart) !== placeholderName)
        files.push({ name: path.slice(nameStart), sizeBytes });
      if (folders.size + files.length > entriesMax) return { folders: [...folders], files, isCut: true };
    }
    const last = page.at(-1)?.path;
    if (last === undefined || page.length < filesPerStep)
      return { folders: [...folders], files, isCut: false };
    afterPath = endOfEntry(last, nameStart);
  }
  return { folders: [...folders], files, isCut: true };
}

/** The position after an entry: after the whole subfolder that contains the path. */
function endOfEntry(path: WorkspacePath, nameStart: number): WorkspacePath {
  const slash = path.indexOf('/', nameStart);
  // Names that begin with the last code point are read again; the set ignores them.
  return slash === -1 ? path : (`${path.slice(0, slash)}/\u{10ffff}` as WorkspacePath);
}
