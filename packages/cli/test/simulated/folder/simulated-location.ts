import { hash } from 'node:crypto';
import { type ContentHash, isHiddenName, type ObjectId, type Stamp } from '@stoa/core';
import {
  type Changed,
  type DiskPath,
  type DiskRejection,
  FolderGoneError,
  type PlacedFile,
  type PresumedFile,
  type ReplacedFile,
  type Taken,
  type TrashedFile,
} from '../../../src/engine/ports/local-folder.ts';
import type { OnStep } from '../../../src/engine/ports/pace.ts';
import { DiskError, type Inode, type SimulatedDisk, segmentsOf } from '../simulated-disk.ts';

export interface SimulatedFolderOptions {
  readonly disk: SimulatedDisk;
  /** Milliseconds since the epoch, for the days of the trash. */
  readonly wallNow: () => number;
  /** Awaited before each step, where others act. It ends the process by never resolving. */
  readonly step: (name: string) => Promise<void>;
  readonly onStep?: OnStep;
  readonly newId: () => string;
  /** Kind of the watcher: `blind` reports nothing, `none` cannot be opened. */
  readonly watcher?: () => 'events' | 'blind' | 'none';
  readonly bootId?: () => string;
}

export const hidden = '.stoa';
export const changed: Changed = { kind: 'changed' };
export const taken: Taken = { kind: 'taken' };
export const hashOf = (bytes: Uint8Array) => hash('sha256', bytes, 'hex') as ContentHash;

/** A folder on a simulated disk: its paths, and steps that give a file another name. */
export type SimulatedLocation = ReturnType<typeof openLocation>;

export function openLocation(options: SimulatedFolderOptions) {
  const { disk, wallNow, step: round, onStep = () => {} } = options;
  for (const folder of ['staging', 'trash', 'rescued']) disk.makeFolders(`${hidden}/${folder}`);
  const opened = disk.find('');
  const step = async (name: string) => {
    await onStep(name);
    await round(name);
  };
  const checkRoot = () => {
    if (disk.find('') !== opened) throw new FolderGoneError('another folder');
    if (disk.find(`${hidden}/config.json`)?.kind !== 'file') throw new FolderGoneError('not linked');
  };
  const stagingOf = (id: string) => {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw new TypeError(`not an id: ${id}`);
    return `${hidden}/staging/${id}.part`;
  };
  const findWay = (path: DiskPath): { readonly kind: 'clear'; readonly missing: boolean } | DiskRejection => {
    checkRoot();
    const segments = path.split('/');
    if (segments.some((each) => each === '' || each === '.' || each === '..' || each.includes('\0'))) {
      throw new TypeError(`not a path in the folder: ${JSON.stringify(path)}`);
    }
    if (segments.some(isHiddenName)) return { kind: 'refused', reason: 'hostile_name', detail: path };
    for (let depth = 1; depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      const code = disk.fault('read', above);
      if (code !== null) return errorOf(new DiskError(code));
      const node = disk.find(above);
      if (node === null) return { kind: 'clear', missing: true };
      if (node.kind === 'symlink') return { kind: 'blocked', by: 'symlink_above', at: above };
      if (node.kind !== 'folder') return { kind: 'blocked', by: 'special_file', at: above };
    }
    return { kind: 'clear', missing: false };
  };
  const makeWay = (path: DiskPath): PlacedFile['madeFolders'] | DiskRejection => {
    const way = findWay(path);
    if (way.kind !== 'clear') return way;
    const made: { path: DiskPath; object: ObjectId | null }[] = [];
    const segments = segmentsOf(path);
    for (let depth = 1; depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      if (disk.find(above) !== null) continue;
      disk.makeFolder(above);
      const node = disk.find(above);
      if (node !== null) made.push({ path: above, object: disk.objectOf(node) });
    }
    return made;
  };
  const inodeAt = (path: string): Inode | null => {
    const node = disk.find(path);
    return node?.kind === 'file' ? node.inode : null;
  };
  const findPlanned = (path: DiskPath, { stamp }: PresumedFile): Inode | Changed | DiskRejection => {
    const way = findWay(path);
    if (way.kind !== 'clear') return way;
    const inode = inodeAt(path);
    return inode !== null && disk.stampOf(path) === stamp ? inode : changed;
  };
  const printOf = ({ ino, bytes, mtime }: Inode) => `${ino}:${bytes.length}:${mtime}`;
  const placed = (
    path: DiskPath,
    madeFolders: PlacedFile['madeFolders'],
    print: string,
  ): PlacedFile | Changed => {
    const node = disk.find(path);
    if (node?.kind !== 'file') return changed;
    const stamp = disk.stampOf(path);
    return {
      kind: 'placed',
      stamp: printOf(node.inode) === print ? stamp : (`${stamp}:written` as Stamp),
      object: disk.objectOf(node),
      mode: node.inode.mode,
      madeFolders,
    };
  };
  const printAt = (path: string): string => {
    const inode = inodeAt(path);
    if (inode === null) throw new DiskError('ENOENT');
    return printOf(inode);
  };
  const install = (from: string, to: string): boolean => {
    if (disk.find(to) !== null) return false;
    if (disk.options.hasHardLinks) {
      disk.link(from, to);
      disk.unlink(from);
    } else disk.rename(from, to);
    return true;
  };
  const takeAway = (path: DiskPath, planned: Inode, to: string): boolean => {
    disk.rename(path, to);
    if (inodeAt(to) === planned) return true;
    install(to, path);
    return false;
  };
  const freeName = (folder: 'trash' | 'rescued', path: DiskPath): string => {
    let home = new Date(wallNow()).toISOString().slice(0, 10);
    disk.makeFolders(`${hidden}/${folder}/${home}`);
    const segments = segmentsOf(path);
    for (const [index, segment] of segments.entries()) {
      const isLast = index === segments.length - 1;
      for (let n = 1; ; n += 1) {
        const name = n === 1 ? segment : `${segment} ${n}`;
        const existing = disk.find(`${hidden}/${folder}/${home}/${name}`);
        if (isLast ? existing !== null : existing !== null && existing.kind !== 'folder') continue;
        home = `${home}/${name}`;
        break;
      }
      if (!isLast) disk.makeFolders(`${hidden}/${folder}/${home}`);
    }
    return home;
  };
  const trashFile = (name: string) => `${hidden}/trash/${name}`;
  const replaced = (name: string, planned: Inode, print: string): ReplacedFile => {
    const trashed: TrashedFile = { file: name, sizeBytes: planned.bytes.length, print: printOf(planned) };
    return { kind: 'moved_away', trashed, isAsPlanned: trashed.print === print };
  };
  const attempt = async <Outcome>(act: () => Promise<Outcome>) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return changed;
      return errorOf(error);
    }
  };
  return {
    options,
    disk,
    turn: round,
    step,
    checkRoot,
    stagingOf,
    findWay,
    makeWay,
    inodeAt,
    findPlanned,
    printOf,
    placed,
    printAt,
    putInPlace: install,
    takeAway,
    freeName,
    trashFile,
    replaced,
    attempt,
  };
}

export function errorOf(error: unknown): DiskRejection & { readonly kind: 'refused' } {
  if (!(error instanceof DiskError)) throw error;
  const detail = error.code;
  switch (error.code) {
    case 'ENOSPC':
      return { kind: 'refused', reason: 'disk_full', detail };
    case 'EBUSY':
      return { kind: 'refused', reason: 'in_use', detail };
    case 'EINVAL':
      return { kind: 'refused', reason: 'name_not_possible', detail };
    case 'EXDEV':
      return { kind: 'refused', reason: 'other_filesystem', detail };
    default:
      return { kind: 'refused', reason: 'unreadable', detail };
  }
}
