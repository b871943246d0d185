import { isWithin, parseConflictedCopyPath, placeholderName, type WorkspacePath } from '@stoa/core';
import { ownValue } from '../store/own-value.ts';
import type { ListedFile, ListResponse } from './list-response.ts';

export interface FileEntry extends ListedFile {
  readonly kind: 'file';
  /** The last segment of the path. */
  readonly name: string;
  /** The folder it is in; empty at the top. */
  readonly folder: string;
}

export interface FolderEntry {
  readonly kind: 'folder';
  readonly path: string;
  readonly name: string;
  readonly folder: string;
}

export type Entry = FileEntry | FolderEntry;

/** A list response indexed by path: unordered, and cheap to update. */
export interface ListData {
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly icons: Readonly<Record<string, string>>;
  readonly orders: Readonly<Record<string, number>>;
  readonly privatePaths: ReadonlySet<string>;
}

/** The files and folders of a workspace for display. `.keep` files create folders but are not entries. */
export interface Listing extends ListData {
  readonly folders: ReadonlyMap<string, FolderEntry>;
  /** The sorted entries of a folder; empty for a missing folder. */
  childrenOf(folder: string): readonly Entry[];
  entryAt(path: string): Entry | null;
  /** The nearest private path at or above this one, where there is one. */
  privateAt(path: string): string | null;
}

export function listDataOf(response: ListResponse): ListData {
  return {
    files: new Map(response.entries.map((entry) => [entry.path, fileEntryOf(entry)])),
    icons: response.icons,
    orders: response.orders,
    privatePaths: new Set(response.privatePaths),
  };
}

/** Replaces everything at or below `path` by a list response for that path. */
export function withListed(data: ListData, path: string, response: ListResponse): ListData {
  const inside = (candidate: string) => isWithin(candidate, path);
  const files = new Map(data.files);
  for (const candidate of data.files.keys()) if (inside(candidate)) files.delete(candidate);
  for (const entry of response.entries) files.set(entry.path, fileEntryOf(entry));
  return {
    files,
    icons: { ...without(data.icons, inside), ...response.icons },
    orders: { ...without(data.orders, inside), ...response.orders },
    privatePaths: new Set([
      ...[...data.privatePaths].filter((each) => !inside(each)),
      ...response.privatePaths,
    ]),
  };
}

/** @param compareNames the display order of names. */
export function indexListing(
  data: ListData,
  compareNames: (a: string, b: string) => number = compareEntryNames,
): Listing {
  const folders = new Map<string, FolderEntry>();
  const inFolder = new Map<string, Entry[]>([['', []]]);
  for (const file of data.files.values()) {
    makeFolders(file.folder, folders, inFolder);
    if (file.name !== placeholderName) inFolder.get(file.folder)?.push(file);
  }
  const ordered = new Map<string, readonly Entry[]>();
  return {
    ...data,
    folders,
    childrenOf: (folder) => {
      const known = ordered.get(folder);
      if (known !== undefined) return known;
      const entries = inOrder(inFolder.get(folder) ?? [], data.orders, compareNames);
      ordered.set(folder, entries);
      return entries;
    },
    entryAt: (path) => {
      const file = data.files.get(path);
      return file !== undefined && file.name !== placeholderName ? file : (folders.get(path) ?? null);
    },
    privateAt: (path) => {
      for (let at = path; at !== ''; at = folderOf(at)) if (data.privatePaths.has(at)) return at;
      return null;
    },
  };
}

/** The folder that a path is in; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function fileEntryOf(listed: ListedFile): FileEntry {
  return { ...listed, kind: 'file', name: nameOf(listed.path), folder: folderOf(listed.path) };
}

function makeFolders(
  folder: string,
  folders: Map<string, FolderEntry>,
  inFolder: Map<string, Entry[]>,
): void {
  for (let path = folder; path !== '' && !folders.has(path); path = folderOf(path)) {
    const entry: FolderEntry = { kind: 'folder', path, name: nameOf(path), folder: folderOf(path) };
    folders.set(path, entry);
    if (!inFolder.has(path)) inFolder.set(path, []);
    const above = inFolder.get(entry.folder);
    if (above === undefined) inFolder.set(entry.folder, [entry]);
    else above.push(entry);
  }
}

/** Custom order first, then folders, then files by name. A conflicted copy follows its original directly. */
function inOrder(
  entries: readonly Entry[],
  orders: ListData['orders'],
  compareNames: (a: string, b: string) => number,
): readonly Entry[] {
  const isPlaced = entries.some(({ path }) => Object.hasOwn(orders, path));
  const location = (entry: Entry) => ownValue(orders, entry.path) ?? Number.POSITIVE_INFINITY;
  // The display order of names is slow to compare. On input that is nearly sorted it needs few comparisons.
  const foldersFirst = (a: Entry, b: Entry) => (a.kind === b.kind ? 0 : a.kind === 'folder' ? -1 : 1);
  const sorted = [...entries].sort((a, b) => foldersFirst(a, b) || compareRoughly(a.name, b.name));
  sorted.sort((a, b) => {
    if (isPlaced) {
      const [locationA, locationB] = [location(a), location(b)];
      if (locationA !== locationB) return locationA - locationB;
    }
    return foldersFirst(a, b) || compareNames(a.name, b.name);
  });
  return behindOriginals(sorted);
}

export function behindOriginals(sorted: readonly Entry[]): readonly Entry[] {
  if (!sorted.some((entry) => originalOf(entry) !== null)) return sorted;
  const here = new Set(sorted.map(({ path }) => path));
  const copies = new Map<string, Entry[]>();
  for (const entry of sorted) {
    const original = originalOf(entry);
    if (original === null || !here.has(original)) continue;
    copies.set(original, [...(copies.get(original) ?? []), entry]);
  }
  if (copies.size === 0) return sorted;
  const moved = new Set([...copies.values()].flat());
  return sorted.flatMap((entry) => (moved.has(entry) ? [] : [entry, ...(copies.get(entry.path) ?? [])]));
}

export function originalOf(entry: Entry): string | null {
  if (entry.kind === 'folder' || !entry.name.includes('(conflicted copy ')) return null;
  // Paths in a list response are canonical.
  return parseConflictedCopyPath(entry.path as WorkspacePath)?.original ?? null;
}

function without<Value>(
  record: Readonly<Record<string, Value>>,
  leaves: (path: string) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([path]) => !leaves(path)));
}

const collator = new Intl.Collator(undefined, { numeric: true });

export function compareEntryNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}

/** Approximates the display order with code units only: numbers by value, capitals next to lower case. */
function compareRoughly(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const [digitsA, digitsB] = [digitsFrom(a, at), digitsFrom(b, at)];
  const isInNumber = (digitsA > 0 && digitsB > 0) || (at > 0 && isDigit(a.charCodeAt(at - 1)));
  if (isInNumber && digitsA !== digitsB) return digitsA - digitsB;
  if (at === shared) return a.length - b.length;
  const [codeA, codeB] = [a.charCodeAt(at), b.charCodeAt(at)];
  return withoutCase(codeA) - withoutCase(codeB) || codeA - codeB;
}

function digitsFrom(name: string, from: number): number {
  let at = from;
  while (at < name.length && isDigit(name.charCodeAt(at))) at += 1;
  return at - from;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function withoutCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
