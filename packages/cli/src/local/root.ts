import { type BigIntStats, lstatSync, mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { hiddenFolderName, isHiddenName, type Obstacle } from '@stoa/core';
import {
  type DiskPath,
  type DiskRejection,
  FolderGoneError,
  type MadeFolder,
} from '../engine/ports/local-folder.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import { objectOf } from './stamp.ts';

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
  const foldersAbove = (path: DiskPath) => {
    const segments = path.split('/').slice(0, -1);
    return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
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
    findWay(path) {
      root.check();
      if (path === '') throw new TypeError('the root is not a file');
      absolute(path);
      if (path.split('/').some(isHiddenName)) return hostile(path);
      for (const above of foldersAbove(path)) {
        try {
          const found = look(absolute(above));
          if (found === null) return { kind: 'clear', missing: above };
          if (found.isSymbolicLink()) return { kind: 'blocked', by: 'symlink_above', at: above };
          if (!found.isDirectory()) return { kind: 'blocked', by: 'special_file', at: above };
          if (found.dev !== opened.dev) return { kind: 'refused', reason: 'other_filesystem', detail: above };
        } catch (error) {
          if (errorCodeOf(error) === 'ENOTDIR') return { kind: 'clear', missing: above };
          return errorOf(error);
        }
      }
      return { kind: 'clear', missing: null };
    },
    makeWay(path) {
      const way = root.findWay(path);
      if (way.kind !== 'clear') return way;
      if (way.missing === null) return [];
      const made: { path: DiskPath; object: ReturnType<typeof objectOf> }[] = [];
      try {
        for (const above of foldersAbove(path)) {
          const file = absolute(above);
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

function hostile(path: DiskPath): DiskRejection {
  return { kind: 'refused', reason: 'hostile_name', detail: path };
}
