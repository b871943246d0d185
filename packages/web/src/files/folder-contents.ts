import { isWithin, placeholderName } from '@stoa/core';
import { type FileEntry, folderOf, type ListData, nameOf } from '../api/listing-index.ts';

/** The page of a folder: its README.md, else its index.md. */
export function folderPageOf({ files }: Pick<ListData, 'files'>, folder: string): FileEntry | null {
  return files.get(joinPath(folder, 'README.md')) ?? files.get(joinPath(folder, 'index.md')) ?? null;
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The path to show to the user: for the placeholder of an empty folder, the folder itself. */
export function shownPath(path: string): string {
  return nameOf(path) === placeholderName && folderOf(path) !== '' ? folderOf(path) : path;
}

/** The file at a path, or all files below a folder, including placeholders: the files of a move or a delete. */
export function filesWithin({ files }: Pick<ListData, 'files'>, path: string): readonly FileEntry[] {
  const file = files.get(path);
  if (file !== undefined) return [file];
  return [...files.values()].filter((entry) => isWithin(entry.path, path));
}

/** Totals of the files below a folder, without placeholders. */
export interface FolderTotals {
  readonly fileCount: number;
  readonly size: number;
  /** The file that changed last. */
  readonly newest: FileEntry | null;
}

const known = new WeakMap<ListData['files'], ReadonlyMap<string, FolderTotals>>();
const nothingInside: FolderTotals = { fileCount: 0, size: 0, newest: null };

/** Computed once per list, for all folders together. */
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

/** The server formats all times alike, so they compare as strings. A large list has too many to parse. */
function isLater({ changedAt = '' }: FileEntry, { changedAt: other = '' }: FileEntry): boolean {
  return changedAt > other;
}

/** Milliseconds since the epoch; 0 if the list does not say. */
export function changedAtOf(file: Pick<FileEntry, 'changedAt'>): number {
  return file.changedAt === undefined ? 0 : Date.parse(file.changedAt);
}
