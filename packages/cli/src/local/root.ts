import { type BigIntStats, lstatSync, mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { hiddenFolderName, isHiddenName, type Obstacle } from '@stoa/core';
import {
  type DiskPath,
  type DiskRejection,
  type DiskTime,
  FolderGoneError,
  type MadeFolder,
} from '../engine/ports/local-folder.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import { objectOf } from './stamp.ts';

/** For this long, a scan trusts a folder that it has checked. Otherwise each folder costs a check of all above it. */
const trustedMs = 20;
/** Uptime of this process. `performance` would load a measurement library at each start. */
const nowMs = () => process.uptime() * 1000;

const asItStands = { bigint: true, throwIfNoEntry: false } as const;

export const look = (file: string): BigIntStats | null => lstatSync(file, asItStands) ?? null;

/** Matches an empty segment, `.`, `..`, or a byte that ends a name. */
const unsound = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** The folders above a path. `missing` is the first one that does not exist. */
export type WayThere =
  | { readonly kind: 'clear'; readonly missing: DiskPath | null }
  | { readonly kind: 'blocked'; readonly by: Obstacle; readonly at: DiskPath };

/**
 * The opened root of the synced folder. Every disk path is made here, so that none leads outside the root, into the
 * hidden folder, or through a symlink.
 */
export interface Root {
  readonly folder: string;
  /** `.stoa` */
  readonly hidden: string;
  /** @throws FolderGoneError */
  check(): BigIntStats;
  /** @throws TypeError for a path outside the root, which is a bug of the caller */
  absolute(path: DiskPath | ''): string;
  /** Checks every folder above the path. */
  findWay(path: DiskPath): WayThere | DiskRejection;
  /** As `findWay`, but trusts the checks that the same scan made a moment ago. Changes and uploads check again. */
  findWayInScan(path: DiskPath, scan: DiskTime): WayThere | DiskRejection;
  /** Makes the missing folders above the path. */
  makeWay(path: DiskPath): MadeFolder['madeFolders'] | DiskRejection;
  isOnDevice(found: BigIntStats): boolean;
}

/** @throws FolderGoneError if the folder does not exist or is not linked */
export function openRoot(folder: string): Root {
  const hidden = join(folder, hiddenFolderName);
  const config = join(hidden, 'config.json');
  const start = join(folder, sep);
  const opened = checkFolder();

  function checkFolder(): BigIntStats {
    let found: BigIntStats | null;
    let linked: BigIntStats | null;
    try {
      found = look(folder);
      linked = look(config);
    } catch (error) {
      throw new FolderGoneError(`${folder} cannot be looked at`, { cause: error });
    }
    if (found === null || !found.isDirectory()) throw new FolderGoneError(`${folder} is not there`);
    if (linked === null || !linked.isFile()) throw new FolderGoneError(`${folder} is not linked`);
    return found;
  }
  const absolute = (path: DiskPath | '') => {
    if (path === '') return folder;
    if (unsound.test(path) || (process.platform === 'win32' && /[\\:]/.test(path))) {
      throw new TypeError(`not a path in the folder: ${JSON.stringify(path)}`);
    }
    return start + path;
  };
  let trusted: { scan: DiskTime | null; until: number; folders: Set<DiskPath> };
  trusted = { scan: null, until: 0, folders: new Set() };
  const findWay = (path: DiskPath, known: Set<DiskPath>): WayThere | DiskRejection => {
    root.check();
    if (path === '') throw new TypeError('the root is not a file');
    absolute(path);
    const folders = foldersBelow(known, path);
    // The names of known folders were checked with them.
    const named = (folders[0] ?? path).lastIndexOf('/') + 1;
    if (path.slice(named).split('/').some(isHiddenName)) return hostile(path);
    for (const above of folders) {
      try {
        const found = look(start + above);
        if (found === null) return { kind: 'clear', missing: above };
        if (found.isSymbolicLink()) return { kind: 'blocked', by: 'symlink_above', at: above };
        if (!found.isDirectory()) return { kind: 'blocked', by: 'special_file', at: above };
        if (found.dev !== opened.dev) return { kind: 'refused', reason: 'other_filesystem', detail: above };
        known.add(above);
      } catch (error) {
        if (errorCodeOf(error) === 'ENOTDIR') return { kind: 'clear', missing: above };
        return errorOf(error);
      }
    }
    return { kind: 'clear', missing: null };
  };
  const root: Root = {
    folder,
    hidden,
    check() {
      const found = checkFolder();
      if (found.dev !== opened.dev || found.ino !== opened.ino) {
        throw new FolderGoneError(`${folder} is another folder than it was`);
      }
      return found;
    },
    absolute,
    isOnDevice: (found) => found.dev === opened.dev,
    findWay: (path) => findWay(path, new Set()),
    findWayInScan(path, scan) {
      if (trusted.scan !== scan || nowMs() > trusted.until) {
        trusted = { scan, until: nowMs() + trustedMs, folders: new Set() };
      }
      return findWay(path, trusted.folders);
    },
    makeWay(path) {
      const way = root.findWay(path);
      if (way.kind !== 'clear') return way;
      if (way.missing === null) return [];
      const made: { path: DiskPath; object: ReturnType<typeof objectOf> }[] = [];
      try {
        const there = foldersBelow(new Set(), way.missing);
        for (const above of foldersBelow(new Set(there), path)) {
          const file = start + above;
          if (look(file) !== null) continue;
          mkdirSync(file);
          const found = look(file);
          if (found !== null) made.push({ path: above, object: objectOf(found) });
        }
      } catch (error) {
        return errorOf(error);
      }
      return made;
    },
  };
  return root;
}

/** The folders above a path, outermost first, below the innermost known one. */
function foldersBelow(known: ReadonlySet<DiskPath>, path: DiskPath): DiskPath[] {
  const folders: DiskPath[] = [];
  for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (known.has(folder)) break;
    folders.push(folder);
  }
  return folders.reverse();
}

function hostile(path: DiskPath): DiskRejection {
  return { kind: 'refused', reason: 'hostile_name', detail: path };
}
