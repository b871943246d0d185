import { isWithin, placeholderName } from '@stoa/core';
import { type FileEntry, folderOf, type ListData } from '../api/listing-index.ts';

/** The page of a folder: its README.md, else its index.md. */
export function folderPageOf({ files }: Pick<ListData, 'files'>, folder: string): FileEntry | null {
  return files.get(joinPath(folder, 'README.md')) ?? files.get(joinPath(folder, 'index.md')) ?? null;
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The file at a path, or all files below a folder, placeholders included: what a move or a delete takes along. */
export function filesWithin({ files }: Pick<ListData, 'files'>, path: string): readonly FileEntry[] {
  const file = files.get(path);
  if (file !== undefined) return [file];
  return [...files.values()].filter((entry) => isWithin(entry.path, path));
}

/** What a folder's row says of the files below it; placeholders do not count. */
export interface FolderTotals {
  readonly fileCount: number;
  readonly size: number;
  /** The file that changed last. */
  readonly newest: FileEntry | null;
}

const known = new WeakMap<ListData['files'], ReadonlyMap<string, FolderTotals>>();
const nothingInside: FolderTotals = { fileCount: 0, size: 0, newest: null };

/** Counted once for each list, for all folders at once. */
export function totalsOf({ files }: Pick<ListData, 'files'>, folder: string): FolderTotals {
  const totals = known.get(files) ?? countAll(files);
  known.set(files, totals);
  return totals.get(folder) ?? nothingInside;
}

function countAll(files: ListData['files']): ReadonlyMap<string, FolderTotals> {
  const totals = new Map<string, { fileCount: number; size: number; newest: FileEntry | null }>();
  for (const file of files.values()) {
    if (file.name === placeholderName) continue;
    for (let folder = file.folder; folder !== ''; folder = folderOf(folder)) {
      let sum = totals.get(folder);
      if (sum === undefined) {
        sum = { fileCount: 0, size: 0, newest: null };
        totals.set(folder, sum);
      }
      sum.fileCount += 1;
      sum.size += file.size;
      if (sum.newest === null || isLater(file, sum.newest)) sum.newest = file;
    }
  }
  return totals;
}

/** The service writes all times alike, so that they are in order as texts: a large list has too many to parse each. */
function isLater({ changedAt = '' }: FileEntry, { changedAt: other = '' }: FileEntry): boolean {
  return changedAt > other;
}

/** Milliseconds since the epoch; 0 where the list does not say. */
export function changedAtOf(file: Pick<FileEntry, 'changedAt'>): number {
  return file.changedAt === undefined ? 0 : Date.parse(file.changedAt);
}
