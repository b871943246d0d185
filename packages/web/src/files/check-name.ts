import {
  foldersAbove,
  parseWorkspacePath,
  placeholderName,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import { folderOf, type Listing, nameOf } from '../api/listing-index.ts';
import { joinPath } from './folder-contents.ts';

type Entries = Pick<Listing, 'entryAt'>;

export type NameCheck =
  | { readonly kind: 'free'; readonly path: WorkspacePath }
  | { readonly kind: 'unusable'; readonly reason: string }
  /** `name` is that of the existing entry. */
  | { readonly kind: 'taken'; readonly name: string };

/** Checks a typed name in a folder. Slashes make folders; surrounding white space is dropped. */
export function checkNewName(typed: string, folder: string, listing: Entries): NameCheck {
  const wanted = typed.trim();
  let path: WorkspacePath;
  try {
    // Parse it alone first: an empty name would otherwise be the folder.
    parseWorkspacePath(wanted);
    path = parseWorkspacePath(joinPath(folder, wanted));
  } catch (error) {
    if (error instanceof WorkspaceError) return { kind: 'unusable', reason: error.message };
    throw error;
  }
  if (nameOf(path) === placeholderName) {
    return { kind: 'unusable', reason: `"${placeholderName}" keeps empty folders in place` };
  }
  return checkPath(path, listing);
}

/** Checks the new name of a file or folder that stays in its folder. */
export function checkRename(typed: string, path: string, listing: Entries): NameCheck {
  if (typed.includes('/')) {
    return { kind: 'unusable', reason: 'a slash separates folders, use Move to put it into another one' };
  }
  const check = checkNewName(typed, folderOf(path), listing);
  // The current name is allowed: the caller sees that nothing changes.
  return check.kind === 'taken' && joinPath(folderOf(path), typed.trim()) === path
    ? { kind: 'free', path: parseWorkspacePath(path) }
    : check;
}

/** Whether a path is free: nothing exists there, and none of its parent folders is a file. */
export function checkPath(path: WorkspacePath, listing: Entries): NameCheck {
  if (listing.entryAt(path) !== null) return { kind: 'taken', name: nameOf(path) };
  const file = foldersAbove(path).find((folder) => listing.entryAt(folder)?.kind === 'file');
  return file === undefined ? { kind: 'free', path } : { kind: 'taken', name: nameOf(file) };
}

/** More than any folder holds under one name. */
const attemptsMax = 100_000;

/** `plan.md` → `plan (2).md`, with the first free number. The last extension counts, a leading dot does not. */
export function keepBothPath(path: string, isTaken: (path: string) => boolean): WorkspacePath {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const stemEnd = dot <= 0 ? name.length : dot;
  for (let number = 2; number <= attemptsMax; number += 1) {
    const candidate = joinPath(folderOf(path), `${name.slice(0, stemEnd)} (${number})${name.slice(stemEnd)}`);
    if (!isTaken(candidate)) return parseWorkspacePath(candidate);
  }
  throw new Error(`No free name next to ${path} in ${attemptsMax} tries`);
}

/** Text of a new file: for Markdown its name as the title, otherwise empty. */
export function newFileText(name: string): string {
  const stem = /^(?<stem>.+)\.md$/i.exec(name)?.groups?.stem;
  return stem === undefined ? '' : `# ${stem}\n`;
}
