import { createHash } from 'node:crypto';
import { type ContentHash, compareByCodePoint, type ObjectId, wholeBodyBytesMax } from '@stoa/core';
import { ContentChangedError } from '../../../src/engine/ports/content.ts';
import {
  type DiskPath,
  type ExistingItem,
  FolderGoneError,
  type FolderReading,
  type LocalFolder,
} from '../../../src/engine/ports/local-folder.ts';
import { parseIgnoreRules, rememberIgnoreRules } from '../../../src/local/ignore-rules.ts';
import type { DiskNode } from '../simulated-disk.ts';
import { changed, errorOf, hashOf, hidden, type SimulatedLocation } from './simulated-location.ts';

const recentMicroseconds = 2_000_000;
const chunkBytes = 256 * 1024;

/** Reads a folder and its entries on a simulated disk. */
export function readingOnDisk(
  location: SimulatedLocation,
): Pick<
  LocalFolder,
  | 'readIdentity'
  | 'probe'
  | 'takeTraits'
  | 'readFreeBytes'
  | 'readIgnoreRules'
  | 'parseIgnoreRules'
  | 'readDiskTime'
  | 'readFolder'
  | 'readEntry'
  | 'hashFile'
  | 'readBytes'
  | 'openContent'
  | 'watch'
> {
  const { disk, turn: round, options, checkRoot, findWay, inodeAt, attempt } = location;
  const { watcher = () => 'events' } = options;
  const rulesOf = rememberIgnoreRules();
  const thingOf = (path: string, now: number): ExistingItem | null => {
    const code = disk.fault('read', path);
    if (code !== null) return { kind: 'unreadable', detail: code };
    const node = disk.find(path);
    if (node === null) return null;
    return describe(node, path, now);
  };
  const isTouched = (folder: DiskNode, now: number) => {
    const at = disk.namesChangedAt(folder);
    return at !== null && Math.abs(now - at) < recentMicroseconds;
  };
  const describe = (node: DiskNode, path: string, now: number): ExistingItem => {
    switch (node.kind) {
      case 'file':
        return {
          kind: 'file',
          stamp: disk.stampOf(path),
          object: disk.objectOf(node),
          sizeBytes: node.inode.bytes.length,
          mode: node.inode.mode,
          isRecent: Math.abs(now - node.inode.mtime) < recentMicroseconds,
        };
      case 'folder':
        return { kind: 'folder', object: disk.objectOf(node), isRecent: isTouched(node, now) };
      default:
        return { kind: node.kind };
    }
  };
  const readPlanned = async (path: DiskPath, stamp: string) => {
    await round('read');
    const way = findWay(path);
    if (way.kind !== 'clear') return way;
    const inode = inodeAt(path);
    if (inode === null || disk.stampOf(path) !== stamp) return changed;
    return { kind: 'opened' as const, bytes: disk.readFile(path) };
  };

  return {
    readIdentity: async () => {
      checkRoot();
      const root = disk.find('');
      if (root === null) throw new FolderGoneError('gone');
      // A disk without stable objects still has one root.
      const inode = root.kind === 'folder' ? root.inode : 0;
      return { root: `1:${inode}:0` as ObjectId, bootId: options.bootId?.() ?? 'boot-1' };
    },
    probe: async () => {
      const { names, hasHardLinks, hasStableObjects } = disk.options;
      return { names, hasHardLinks, hasStableObjects };
    },
    takeTraits: () => {},
    readFreeBytes: async () => disk.capacityBytes - disk.usedBytes(),
    readIgnoreRules: async () => {
      checkRoot();
      const text = (path: string) => {
        const inode = inodeAt(path);
        return inode === null ? null : new TextDecoder().decode(inode.bytes);
      };
      return rulesOf({ shared: text('.stoaignore'), private: text(`${hidden}/ignore`) });
    },
    parseIgnoreRules,
    readDiskTime: async () => {
      checkRoot();
      return { ns: BigInt(disk.stampNow()) };
    },
    readFolder: async (folder, { ns }) => {
      await round('read folder');
      checkRoot();
      const nothing: Omit<FolderReading, 'kind'> = {
        reason: null,
        detail: null,
        object: null,
        isRecent: false,
        entries: [],
        hasVanished: false,
      };
      const now = Number(ns);
      if (folder !== '') {
        const way = findWay(folder);
        if (way.kind === 'refused') {
          return { ...nothing, kind: 'unknown', reason: 'unreadable', detail: way.detail };
        }
        if (way.kind === 'blocked' || way.missing) return { ...nothing, kind: 'gone' };
      }
      const node = disk.find(folder);
      if (node?.kind !== 'folder') return { ...nothing, kind: 'gone' };
      if (folder !== '' && disk.find(`${folder}/${hidden}/config.json`) !== null) {
        return { ...nothing, kind: 'unknown', reason: 'nested_link' };
      }
      try {
        const names = disk.listNames(folder).sort(compareByCodePoint);
        const entries = names
          .filter((name) => folder !== '' || name !== hidden)
          .flatMap((name) => {
            const thing = thingOf(folder === '' ? name : `${folder}/${name}`, now);
            return thing === null ? [] : [{ name, isUtf8: true, ...thing }];
          });
        const isRecent = isTouched(node, now);
        return { ...nothing, kind: 'read', object: disk.objectOf(node), isRecent, entries };
      } catch (error) {
        return { ...nothing, kind: 'unknown', reason: 'unreadable', detail: errorOf(error).detail };
      }
    },
    readEntry: async (path, { ns }) => {
      await round('read entry');
      const way = findWay(path);
      if (way.kind === 'blocked') return { kind: 'blocked', by: way.by };
      if (way.kind === 'refused') return { kind: 'unreadable', detail: way.detail };
      return thingOf(path, Number(ns)) ?? { kind: 'absent' };
    },
    hashFile: (path, stamp) =>
      attempt(async () => {
        const got = await readPlanned(path, stamp);
        if (got.kind !== 'opened') return got;
        return { kind: 'hashed' as const, hash: hashOf(got.bytes), sizeBytes: got.bytes.length };
      }),
    readBytes: (path, { stamp, hash }, maxBytes) =>
      attempt(async () => {
        const got = await readPlanned(path, stamp);
        if (got.kind !== 'opened') return got;
        if (got.bytes.length > maxBytes) throw new RangeError(`${path} is longer than ${maxBytes} bytes`);
        return hashOf(got.bytes) === hash ? { kind: 'bytes' as const, bytes: got.bytes.slice() } : changed;
      }),
    openContent: (path, { stamp, hash }) =>
      attempt(async () => {
        const got = await readPlanned(path, stamp);
        if (got.kind !== 'opened') return got;
        const { bytes } = got;
        const sizeBytes = bytes.length;
        if (sizeBytes <= wholeBodyBytesMax) {
          if (hashOf(bytes) !== hash) return changed;
          const content = { kind: 'bytes', bytes: bytes.slice(), hash, sizeBytes } as const;
          return { kind: 'content' as const, content };
        }
        const stream = plannedStream(path, stamp, hash, sizeBytes);
        return { kind: 'content' as const, content: { kind: 'stream', stream, hash, sizeBytes } as const };
      }),
    watch: async ({ onEvent, isIgnored, isAwaited }) => {
      checkRoot();
      if (watcher() === 'none')
        return { mode: 'polling', hears: 'at_once', detail: 'played', close: () => {} };
      const close = disk.listen((path) => {
        if (watcher() !== 'events' || path === hidden || path.startsWith(`${hidden}/`)) return;
        if (!isIgnored(path) || isAwaited(path)) onEvent({ kind: 'touched', path });
      });
      return { mode: 'events', hears: 'at_once', detail: null, close };
    },
  };

  function plannedStream(path: string, stamp: string, hash: ContentHash, sizeBytes: number) {
    let at = 0;
    const chunks = createHash('sha256');
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await round('read piece');
          const inode = inodeAt(path);
          const chunk =
            inode?.bytes.slice(at, at + Math.min(chunkBytes, sizeBytes - at)) ?? new Uint8Array(0);
          chunks.update(chunk);
          at += chunk.length;
          const isSound =
            chunk.length > 0 &&
            (at < sizeBytes || (disk.stampOf(path) === stamp && chunks.digest('hex') === hash));
          if (!isSound) return controller.error(new ContentChangedError('the file was written'));
          controller.enqueue(chunk);
          if (at === sizeBytes) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}
