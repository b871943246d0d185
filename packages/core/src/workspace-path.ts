// Sync clients create these paths on disks, so a path that a disk cannot store is rejected at its creation.
import type { Brand } from './brand.ts';
import { WorkspaceError } from './errors.ts';
import { pathMaxCharacters, pathSegmentMaxBytes } from './limits.ts';

const utf8 = new TextEncoder();

/** A canonical path: NFC, `/`-separated, no empty, `.` or `..` segment, no control character. Case-sensitive. */
export type WorkspacePath = Brand<string, 'WorkspacePath'>;

/** A folder boundary for listing: a canonical path, or empty for the whole workspace. */
export type PathPrefix = WorkspacePath | '';

/**
 * Returns the canonical form of a decoded path. Drops empty and `.` segments.
 * @throws WorkspaceError `invalid_path`, whose message is only the reason.
 */
export function parseWorkspacePath(text: string): WorkspacePath {
  const path = canonicalPath(text);
  if (path === '') throw invalidPath('the path is empty');
  return path as WorkspacePath;
}

/** Like `parseWorkspacePath`, but accepts an empty text for the whole workspace, and a trailing slash. */
export function parsePathPrefix(text: string): PathPrefix {
  return canonicalPath(text) as PathPrefix;
}

/**
 * Parses the path in a raw URL. Percent-decodes it once, so `%2F` becomes a separator and `%252F` becomes `%2F`.
 * @throws WorkspaceError `invalid_path`
 */
export function parseUrlPath(raw: string): WorkspacePath {
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    throw invalidPath('the percent-encoding is not valid UTF-8');
  }
  return parseWorkspacePath(decoded);
}

/** Returns the folders above a path, outermost first: `a/b/c.md` → `a`, `a/b`. */
export function foldersAbove(path: WorkspacePath): WorkspacePath[] {
  const folders: WorkspacePath[] = [];
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash) as WorkspacePath);
  }
  return folders;
}

/** True if `path` is `prefix` itself or below it as a folder. Every path is within the empty prefix. */
export function isWithin(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return prefix === '' || path.length === prefix.length || path[prefix.length] === '/';
}

/** Returns the end of the longest folder that is above both paths; 0 without one. */
export function sharedFolderEnd(a: string, b: string): number {
  let end = 0;
  for (let at = 0; at < b.length && a.charCodeAt(at) === b.charCodeAt(at); at += 1) {
    if (b.charCodeAt(at) === 0x2f) end = at;
  }
  return end;
}

/** Returns the last segment. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Replaces the folder `from` of `path` with `to`. The caller has checked `isWithin(path, from)`. */
export function rebasePath(path: WorkspacePath, from: WorkspacePath, to: WorkspacePath): WorkspacePath {
  return parseWorkspacePath(to + path.slice(from.length));
}

/** Orders two strings by code point, as both databases do. JavaScript itself orders by UTF-16 unit. */
export function compareByCodePoint(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

// Surrogates represent code points above every other UTF-16 unit.
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Segments of printable ASCII without a backslash that begin with a letter, a digit, `_` or `-`: nearly all paths. */
const plainPath = /^[\w-][ -.0-[\]-~]*(?:\/[\w-][ -.0-[\]-~]*)*$/;

function canonicalPath(text: string): string {
  // Short enough that no segment can be too long.
  if (text.length <= pathSegmentMaxBytes && plainPath.test(text)) return text;
  // Far beyond any legal path: rejected before the costly normalisation.
  if (text.length > pathMaxCharacters * 16) throw invalidPath(`longer than ${pathMaxCharacters} characters`);
  if (!text.isWellFormed()) throw invalidPath('it holds a lone surrogate');
  if (text.includes('\\')) throw invalidPath('backslashes are not allowed');
  if (text.includes('\0')) throw invalidPath('null bytes are not allowed');
  if (/\p{Cc}/u.test(text)) throw invalidPath('control characters are not allowed');
  const segments = text
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    if (segment === '..') throw invalidPath('".." is not allowed');
    if (segment.length * 3 > pathSegmentMaxBytes && utf8.encode(segment).length > pathSegmentMaxBytes) {
      throw invalidPath(`a segment is longer than ${pathSegmentMaxBytes} bytes`);
    }
  }
  const path = segments.join('/');
  if (characterCount(path) > pathMaxCharacters)
    throw invalidPath(`longer than ${pathMaxCharacters} characters`);
  return path;
}

function characterCount(text: string): number {
  if (text.length <= pathMaxCharacters) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function invalidPath(reason: string): WorkspaceError {
  return new WorkspaceError('invalid_path', {}, reason);
}

/** The name of a file that keeps an empty folder. REST lists it; views for users and agents omit it. */
export const placeholderName = '.keep';
