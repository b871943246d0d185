import {
  type BigIntStats,
  chmodSync,
  closeSync,
  fdatasync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { constants, copyFile, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ObjectId, placeholderName, type Stamp } from '@stoa/core';
import type {
  Changed,
  DiskPath,
  DiskRejection,
  DiskTraits,
  LocalFolder,
  PlacedFile,
  PresumedFile,
  Replaced,
  ReplacedFile,
  Taken,
} from '../engine/ports/local-folder.ts';
import type { OnStep } from '../engine/ports/pace.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import { look, type Root } from './root.ts';
import type { Staging } from './staging.ts';
import { permissionsOf, printOf, stampOf } from './stamp.ts';
import type { Trash } from './trash.ts';

const syncAll = promisify(fsync);
const syncData = promisify(fdatasync);

const changed: Changed = { kind: 'changed' };
const taken: Taken = { kind: 'taken' };
const done = { kind: 'done' } as const;
/** Files that operating systems leave in folders. They are removed with the folder. */
const junkNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** An empty placeholder, or one with a line break. */
const placeholderBytesMax = 1;

export interface ChangeContext {
  readonly root: Root;
  readonly staging: Staging;
  readonly trash: Trash;
  readonly rescued: Trash;
  readonly traits: () => DiskTraits;
  readonly objectOf: (found: BigIntStats) => ObjectId | null;
  readonly newId: () => string;
  readonly onStep: OnStep;
}

type Changing = Pick<
  LocalFolder,
  | 'create'
  | 'replace'
  | 'rename'
  | 'finishRename'
  | 'renameFolder'
  | 'duplicate'
  | 'moveToTrash'
  | 'unlink'
  | 'rescue'
  | 'makeFolder'
  | 'removeFolder'
  | 'putBack'
>;

/**
 * The operations that change files. Each check and the following change run in the same tick of the event loop. No file
 * is removed or overwritten unless its second name was checked.
 */
export function createChanging(context: ChangeContext): Changing {
  const { root, staging, trash, rescued, traits, objectOf, newId, onStep } = context;

  /**
   * The file that is at the path now. If it was written since it had `print`, its stamp must not stand for the placed
   * content. Then it gets a stamp that no file has, so that the next scan reads it.
   */
  const placed = (
    path: DiskPath,
    madeFolders: PlacedFile['madeFolders'],
    print: string,
  ): PlacedFile | Changed => {
    const found = look(root.absolute(path));
    if (found === null || !found.isFile()) return changed;
    const stamp = stampOf(found);
    return {
      kind: 'placed',
      stamp: printOf(found) === print ? stamp : (`${stamp}:written` as Stamp),
      object: objectOf(found),
      mode: permissionsOf(found),
      madeFolders,
    };
  };
  /** @throws the disk's error if the file is missing */
  const printAt = (file: string): string => {
    const found = lstatSync(file, { bigint: true });
    return printOf(found);
  };
  /** The expected file, if it is at the path at this moment. */
  const findPlanned = (path: DiskPath, { stamp }: PresumedFile): BigIntStats | Changed | DiskRejection => {
    const way = root.findWay(path);
    if (way.kind !== 'clear') return way;
    const found = way.missing === null ? look(root.absolute(path)) : null;
    return found?.isFile() === true && stampOf(found) === stamp ? found : changed;
  };
  /**
   * Moves exactly the checked file to a path in the hidden folder. A file that replaced it at the last moment is moved
   * back. If yet another file is there by then, it goes to the trash, because files left in staging are deleted.
   */
  const takeAway = (path: DiskPath, planned: BigIntStats, to: string): 'taken_away' | 'another' => {
    const file = root.absolute(path);
    renameSync(file, to);
    const got = look(to);
    if (got !== null && got.ino === planned.ino && got.dev === planned.dev) return 'taken_away';
    if (got !== null && !install(to, file, traits().hasHardLinks)) {
      renameSync(to, trash.fileOf(trash.findName(path)));
    }
    return 'another';
  };
  const rescueFrom = (quarantined: string, path: DiskPath): void => {
    const file = rescued.fileOf(rescued.findName(path));
    renameSync(quarantined, file);
    chmodSync(file, 0o600);
  };
  /** Runs an operation and returns disk errors as outcomes. */
  const attempt = async <Outcome>(act: () => Outcome | Promise<Outcome>) => {
    try {
      return await act();
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return changed;
      return errorOf(error);
    }
  };

  return {
    create: (path, stagedId) =>
      attempt(async () => {
        const made = root.makeWay(path);
        if ('kind' in made) return made;
        await onStep('create: put in place');
        const way = root.findWay(path);
        if (way.kind !== 'clear') return way;
        const from = staging.fileOf(stagedId);
        const print = printAt(from);
        if (!install(from, root.absolute(path), traits().hasHardLinks)) return taken;
        await onStep('create: done');
        return placed(path, made, print);
      }),

    replace: (path, stagedId, presumed, alsoAt) =>
      attempt(async () => {
        const from = staging.fileOf(stagedId);
        const before = findPlanned(path, presumed);
        if ('kind' in before) return before;
        chmodSync(from, permissionsOf(before));
        await syncFile(from, 'data');
        const print = printAt(from);
        await onStep('replace: staged is flushed');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const file = root.absolute(path);
        if (alsoAt !== null) {
          const second = look(root.absolute(alsoAt));
          if (second?.ino !== planned.ino) return changed;
          renameSync(from, file);
        } else if (traits().hasHardLinks) {
          const name = trash.findName(path);
          linkSync(file, trash.fileOf(name));
          await onStep('replace: old one has its name in the trash');
          const last = look(file);
          const kept = look(trash.fileOf(name));
          // Another process renamed first. The file at the path has no second name.
          if (last === null || kept === null || last.ino !== kept.ino || kept.ino !== planned.ino) {
            unlinkSync(trash.fileOf(name));
            return changed;
          }
          renameSync(from, file);
          await onStep('replace: new one is in place');
          return replaced(path, print, replacedFile(name, planned));
        } else {
          const name = trash.findName(path);
          if (takeAway(path, planned, trash.fileOf(name)) === 'another') return changed;
          await onStep('replace: old one is in the trash');
          if (!install(from, file, false)) return changed;
          return replaced(path, print, replacedFile(name, planned));
        }
        await onStep('replace: new one is in place');
        return replaced(path, print, null);
      }),

    rename: (from, to, presumed) =>
      attempt(async () => {
        await onStep('rename: begin');
        const made = root.makeWay(to);
        if ('kind' in made) return made;
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const [source, target] = [root.absolute(from), root.absolute(to)];
        const existing = look(target);
        if (existing !== null) {
          const isOtherSpelling = existing.ino === planned.ino && planned.nlink === 1n && from !== to;
          if (!isOtherSpelling) return taken;
          renameSync(source, target);
          return placed(to, made, printOf(planned));
        }
        if (traits().hasHardLinks) {
          const quarantined = staging.asideFor(planned);
          if (!link(source, target)) return taken;
          await onStep('rename: has both names');
          // Another process has replaced it. That file is left alone.
          if (look(target)?.ino !== planned.ino) return changed;
          if (takeAway(from, planned, quarantined) === 'another') {
            unlinkSync(target);
            return changed;
          }
          unlinkSync(quarantined);
        } else if (takeAway(from, planned, target) === 'another') return changed;
        return placed(to, made, printOf(planned));
      }),

    finishRename: (from, to) =>
      attempt(() => {
        for (const path of [from, to]) {
          const way = root.findWay(path);
          if (way.kind !== 'clear') return way;
        }
        const [source, target] = [look(root.absolute(from)), look(root.absolute(to))];
        if (source?.isFile() !== true || target?.isFile() !== true) return changed;
        const isOneFile = source.ino === target.ino && source.dev === target.dev && source.nlink > 1n;
        if (!isOneFile) return changed;
        unlinkSync(root.absolute(from));
        return done;
      }),

    renameFolder: (from, to) =>
      attempt(() => {
        const made = root.makeWay(to);
        if ('kind' in made) return made;
        const way = root.findWay(from);
        if (way.kind !== 'clear') return way;
        const [source, target] = [root.absolute(from), root.absolute(to)];
        const found = look(source);
        if (way.missing !== null || found === null || !found.isDirectory()) return changed;
        const existing = look(target);
        if (existing !== null && existing.ino !== found.ino) return taken;
        renameSync(source, target);
        return { kind: 'folder', object: objectOf(found), madeFolders: made };
      }),

    duplicate: (from, to, presumed) =>
      attempt(async () => {
        const made = root.makeWay(to);
        if ('kind' in made) return made;
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const [source, target] = [root.absolute(from), root.absolute(to)];
        if (!traits().hasHardLinks) {
          const quarantined = staging.fileOf(newId());
          await copyFile(source, quarantined, constants.COPYFILE_FICLONE);
          const after = findPlanned(from, presumed);
          const print = printAt(quarantined);
          const isPut = !('kind' in after) && install(quarantined, target, false);
          if (!isPut && look(quarantined) !== null) unlinkSync(quarantined);
          if ('kind' in after) return after;
          return isPut ? placed(to, made, print) : taken;
        }
        if (!link(source, target)) return taken;
        await onStep('duplicate: has both names');
        const second = look(target);
        if (second !== null && printOf(second) === printOf(planned))
          return placed(to, made, printOf(planned));
        if (second?.ino === planned.ino) unlinkSync(target);
        return changed;
      }),

    moveToTrash: (path, presumed) =>
      attempt(async () => {
        await onStep('remove: begin');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const name = trash.findName(path);
        if (takeAway(path, planned, trash.fileOf(name)) === 'another') return changed;
        await onStep('remove: is in the trash');
        const old = replacedFile(name, planned);
        const isPutBack =
          !old.isAsPlanned && install(trash.fileOf(name), root.absolute(path), traits().hasHardLinks);
        return isPutBack ? changed : old;
      }),

    unlink: (path, presumed) =>
      attempt(() => {
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const quarantined = staging.asideFor(planned);
        if (takeAway(path, planned, quarantined) === 'another') return changed;
        const got = look(quarantined);
        if (got === null || printOf(got) !== printOf(planned)) {
          if (got !== null && !install(quarantined, root.absolute(path), traits().hasHardLinks)) {
            rescueFrom(quarantined, path);
          }
          return changed;
        }
        unlinkSync(quarantined);
        return done;
      }),

    rescue: (path, presumed) =>
      attempt(() => {
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const name = rescued.findName(path);
        if (takeAway(path, planned, rescued.fileOf(name)) === 'another') return changed;
        chmodSync(rescued.fileOf(name), 0o600);
        return { kind: 'rescued', file: `.stoa/rescued/${name}` };
      }),

    makeFolder: (path) =>
      attempt(() => {
        const made = root.makeWay(path);
        if ('kind' in made) return made;
        const file = root.absolute(path);
        const existing = look(file);
        if (existing !== null && !existing.isDirectory()) {
          return { kind: 'blocked', by: existing.isSymbolicLink() ? 'symlink' : 'special_file', at: path };
        }
        if (existing === null) mkdirSync(file);
        const found = look(file);
        return found === null ? changed : { kind: 'folder', object: objectOf(found), madeFolders: made };
      }),

    removeFolder: (path) =>
      attempt(async () => {
        const way = root.findWay(path);
        if (way.kind !== 'clear') return way;
        const folder = root.absolute(path);
        if (way.missing !== null || look(folder) === null) return done;
        const names = await readdir(folder);
        const junk: string[] = [];
        for (const name of names) if (await isJunk(folder, name)) junk.push(name);
        if (junk.length < names.length) return { kind: 'not_empty' };
        for (const name of junk) unlinkSync(join(folder, name));
        try {
          rmdirSync(folder);
          return done;
        } catch (error) {
          const code = errorCodeOf(error);
          if (code === 'ENOENT') return done;
          if (code === 'ENOTEMPTY' || code === 'EEXIST') return { kind: 'not_empty' };
          throw error;
        }
      }),

    putBack: (name, to) =>
      attempt(async () => {
        const made = root.makeWay(to);
        if ('kind' in made) return made;
        const print = printAt(trash.fileOf(name));
        if (!install(trash.fileOf(name), root.absolute(to), traits().hasHardLinks)) return taken;
        await trash.drop(name);
        return placed(to, made, print);
      }),
  };

  async function replaced(
    path: DiskPath,
    print: string,
    old: ReplacedFile | null,
  ): Promise<Replaced | Changed> {
    await syncFile(dirname(root.absolute(path)), 'folder');
    const now = placed(path, [], print);
    return now.kind === 'placed' ? { ...now, kind: 'replaced', replaced: old } : now;
  }

  function replacedFile(name: string, planned: BigIntStats): ReplacedFile {
    const trashed = trash.describe(name);
    if (trashed === null) throw new Error(`${name} vanished from the trash`);
    return { kind: 'moved_away', trashed, isAsPlanned: trashed.print === printOf(planned) };
  }
}

/** @returns false if the target exists */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Moves a file to a free path. Without hard links, another process may create the path between the check and the
 * rename.
 */
function install(from: string, to: string, hasHardLinks: boolean): boolean {
  if (hasHardLinks) {
    if (!link(from, to)) return false;
    unlinkSync(from);
    return true;
  }
  if (look(to) !== null) return false;
  renameSync(from, to);
  return true;
}

async function isJunk(folder: string, name: string): Promise<boolean> {
  const found = look(join(folder, name));
  if (found === null) return true;
  if (!found.isFile()) return false;
  if (junkNames.has(name)) return true;
  if (name !== placeholderName || found.size > placeholderBytesMax) return false;
  return ['', '\n'].includes(await readFile(join(folder, name), 'utf8'));
}

/** Flushes a file or folder. Some systems cannot flush a folder; there this has no effect. */
export async function syncFile(file: string, what: 'data' | 'all' | 'folder'): Promise<void> {
  const opened = openSync(file, 'r');
  try {
    await (what === 'data' ? syncData(opened) : syncAll(opened));
  } catch (error) {
    const code = errorCodeOf(error);
    if (what !== 'folder' || (code !== 'EINVAL' && code !== 'EPERM' && code !== 'EBADF')) throw error;
  } finally {
    closeSync(opened);
  }
}
