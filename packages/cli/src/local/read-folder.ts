import { type BigIntStats, existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { compareByCodePoint, hiddenFolderName, isHiddenName, type ObjectId, utf8Text } from '@stoa/core';
import type {
  DiskPath,
  DiskTime,
  EntryReading,
  ExistingItem,
  FolderEntry,
  FolderReading,
} from '../engine/ports/local-folder.ts';
import { errorCodeOf, errorOf } from './disk-errors.ts';
import { look, type Root } from './root.ts';
import { isRecent, permissionsOf, stampOf } from './stamp.ts';
import type { TimeSlice } from './time-slice.ts';
import type { OpenedWatch } from './watch-folder.ts';

export interface ReadingContext {
  readonly root: Root;
  /** Null if the disk has no stable objects. */
  objectOf(found: BigIntStats): ObjectId | null;
  readonly slice: TimeSlice;
  /** Null without a watch. */
  watching(): OpenedWatch | null;
}

const nothing = {
  reason: null,
  detail: null,
  object: null,
  isRecent: false,
  entries: [],
  hasVanished: false,
} as const;
/** See the port. */
export async function readFolder(
  { root, slice, objectOf: object, watching }: ReadingContext,
  folder: DiskPath | '',
  time: DiskTime,
): Promise<FolderReading> {
  const { ns } = time;
  const file = root.absolute(folder);
  const unknown = (reason: NonNullable<FolderReading['reason']>, detail: string | null): FolderReading => ({
    ...nothing,
    kind: 'unknown',
    reason,
    detail,
  });
  if (folder === '') root.check();
  else {
    const way = root.findWayInScan(folder, time);
    if (way.kind === 'refused') return unknown(unreadableReason(way.reason), way.detail);
    if (way.kind === 'blocked' || way.missing !== null) return { ...nothing, kind: 'gone' };
  }
  let found: BigIntStats | null;
  let names: readonly { readonly name: string; readonly isUtf8: boolean }[];
  try {
    found = look(file);
    if (found === null || !found.isDirectory()) return { ...nothing, kind: 'gone' };
    if (!root.isOnDevice(found)) return unknown('other_filesystem', null);
    watching()?.reads(folder, found);
    names = readNames(file);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...nothing, kind: 'gone' };
    return unknown('unreadable', errorOf(error).detail);
  }
  const isLinked = () => existsSync(join(file, hiddenFolderName, 'config.json'));
  // In any letter case that the disk uses.
  if (folder !== '' && names.some(({ name }) => isHiddenName(name)) && isLinked()) {
    return unknown('nested_link', null);
  }
  const entries: FolderEntry[] = [];
  let hasVanished = false;
  for (const { name, isUtf8 } of names) {
    const pause = slice.pass();
    if (pause !== undefined) await pause;
    if (folder === '' && name === hiddenFolderName) continue;
    const thing = isUtf8
      ? lookAtThing(`${file}${sep}${name}`, ns, object)
      : ({ kind: 'special_file' } as const);
    if (thing === null) hasVanished = true;
    else entries.push(entryOf(name, isUtf8, thing));
  }
  watching()?.hasRead(folder, entries);
  return {
    ...nothing,
    kind: 'read',
    object: object(found),
    isRecent: isRecent(found, ns),
    entries,
    hasVanished,
  };
}

/** Fields are listed for files, which are many, because spreading the object takes several times as long. */
function entryOf(name: string, isUtf8: boolean, thing: ExistingItem): FolderEntry {
  if (thing.kind !== 'file') return { name, isUtf8, ...thing };
  const { kind, stamp, object, sizeBytes, mode, isRecent: isYoung } = thing;
  return { name, isUtf8, kind, stamp, object, sizeBytes, mode, isRecent: isYoung };
}

/** See the port. */
export function readEntry(
  { root, objectOf: object }: ReadingContext,
  path: DiskPath,
  { ns }: DiskTime,
): EntryReading {
  const way = root.findWay(path);
  switch (way.kind) {
    case 'blocked':
      return { kind: 'blocked', by: way.by };
    case 'refused':
      return { kind: 'unreadable', detail: way.detail };
    case 'clear':
      return way.missing === null
        ? (lookAtThing(root.absolute(path), ns, object) ?? { kind: 'absent' })
        : { kind: 'absent' };
  }
}

function lookAtThing(file: string, nowNs: bigint, object: ReadingContext['objectOf']): ExistingItem | null {
  let found: BigIntStats | null;
  try {
    found = look(file);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { kind: 'unreadable', detail: errorOf(error).detail };
  }
  if (found === null) return null;
  if (found.isFile()) {
    return {
      kind: 'file',
      stamp: stampOf(found),
      object: object(found),
      sizeBytes: Number(found.size),
      mode: permissionsOf(found),
      isRecent: isRecent(found, nowNs),
    };
  }
  if (found.isDirectory()) return { kind: 'folder', object: object(found), isRecent: isRecent(found, nowNs) };
  return { kind: found.isSymbolicLink() ? 'symlink' : 'special_file' };
}

function readNames(folder: string): { name: string; isUtf8: boolean }[] {
  const names = readdirSync(folder).sort(compareByCodePoint);
  if (!names.some((name) => name.includes('\ufffd'))) return names.map((name) => ({ name, isUtf8: true }));
  return readdirSync(folder, { encoding: 'buffer' })
    .map((bytes) => ({ name: bytes.toString('utf8'), isUtf8: utf8Text(bytes) !== null }))
    .sort((a, b) => compareByCodePoint(a.name, b.name));
}

function unreadableReason(reason: string): 'unreadable' | 'other_filesystem' {
  return reason === 'other_filesystem' ? reason : 'unreadable';
}
