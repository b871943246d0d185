import { createHash } from 'node:crypto';
import {
  type ContentHash,
  compareByCodePoint,
  isHiddenName,
  type ObjectId,
  type Stamp,
  wholeBodyBytesMax,
} from '@stoa/core';
import { ContentChangedError } from '../../src/engine/ports/content.ts';
import {
  type Changed,
  type DiskPath,
  type DiskRefusal,
  DiskRefusedError,
  type Displaced,
  FolderGoneError,
  type FolderReading,
  type LocalFolder,
  type PlacedFile,
  type PresumedFile,
  type Staged,
  type StandingThing,
  type Taken,
  type TrashedFile,
} from '../../src/engine/ports/local-folder.ts';
import type { OnStep } from '../../src/engine/ports/pace.ts';
import { parseIgnoreRules, rememberIgnoreRules } from '../../src/local/ignore-rules.ts';
import { DiskError, type DiskNode, type Inode, type SimulatedDisk, segmentsOf } from './simulated-disk.ts';

export interface SimulatedFolderOptions {
  readonly disk: SimulatedDisk;
  /** Milliseconds since the epoch, for the days of the trash. */
  readonly wallNow: () => number;
  /** Passes before each step: the simulation lets others act there, or ends the process by never returning. */
  readonly turn: (name: string) => Promise<void>;
  readonly onStep?: OnStep;
  readonly newId: () => string;
  /** What the watcher is like: `blind` tells of nothing, `none` cannot be opened. */
  readonly watcher?: () => 'events' | 'blind' | 'none';
  readonly bootId?: () => string;
}

const hidden = '.stoa';
const changed: Changed = { kind: 'changed' };
const taken: Taken = { kind: 'taken' };
const recentMicroseconds = 2_000_000;
const pieceBytes = 256 * 1024;
const junkNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex') as ContentHash;

/** A folder on a simulated disk, which passes the suite of the real one. The disk's root is the folder's. */
export function createSimulatedFolder(options: SimulatedFolderOptions): LocalFolder {
  const { disk, wallNow, turn, onStep = () => {}, newId, watcher = () => 'events' } = options;
  for (const folder of ['staging', 'trash', 'rescued']) disk.makeFolders(`${hidden}/${folder}`);
  const opened = disk.find('');
  const rulesOf = rememberIgnoreRules();

  const step = async (name: string) => {
    await onStep(name);
    await turn(name);
  };
  const checkRoot = () => {
    if (disk.find('') !== opened) throw new FolderGoneError('another folder');
    if (disk.find(`${hidden}/config.json`)?.kind !== 'file') throw new FolderGoneError('not linked');
  };
  const stagingOf = (id: string) => {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw new TypeError(`not an id: ${id}`);
    return `${hidden}/staging/${id}.part`;
  };
  const findWay = (path: DiskPath): { readonly kind: 'clear'; readonly missing: boolean } | DiskRefusal => {
    checkRoot();
    const segments = path.split('/');
    if (segments.some((each) => each === '' || each === '.' || each === '..' || each.includes('\0'))) {
      throw new TypeError(`not a path in the folder: ${JSON.stringify(path)}`);
    }
    if (segments.some(isHiddenName)) return { kind: 'refused', reason: 'hostile_name', detail: path };
    for (let depth = 1; depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      const code = disk.fault('read', above);
      if (code !== null) return refusalOf(new DiskError(code));
      const node = disk.find(above);
      if (node === null) return { kind: 'clear', missing: true };
      if (node.kind === 'symlink') return { kind: 'blocked', by: 'symlink_above', at: above };
      if (node.kind !== 'folder') return { kind: 'blocked', by: 'special_file', at: above };
    }
    return { kind: 'clear', missing: false };
  };
  const makeWay = (path: DiskPath): PlacedFile['madeFolders'] | DiskRefusal => {
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
  const findPlanned = (path: DiskPath, { stamp }: PresumedFile): Inode | Changed | DiskRefusal => {
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
  const putInPlace = (from: string, to: string): boolean => {
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
    putInPlace(to, path);
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
        const standing = disk.find(`${hidden}/${folder}/${home}/${name}`);
        if (isLast ? standing !== null : standing !== null && standing.kind !== 'folder') continue;
        home = `${home}/${name}`;
        break;
      }
      if (!isLast) disk.makeFolders(`${hidden}/${folder}/${home}`);
    }
    return home;
  };
  const trashFile = (name: string) => `${hidden}/trash/${name}`;
  const displaced = (name: string, planned: Inode, print: string): Displaced => {
    const trashed: TrashedFile = { file: name, sizeBytes: planned.bytes.length, print: printOf(planned) };
    return { kind: 'displaced', trashed, isAsPlanned: trashed.print === print };
  };
  const attempt = async <Outcome>(act: () => Promise<Outcome>) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return changed;
      return refusalOf(error);
    }
  };
  const thingOf = (path: string, now: number): StandingThing | null => {
    const code = disk.fault('read', path);
    if (code !== null) return { kind: 'unreadable', detail: code };
    const node = disk.find(path);
    if (node === null) return null;
    return describe(node, path, now);
  };
  const describe = (node: DiskNode, path: string, now: number): StandingThing => {
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
        return { kind: 'folder', object: disk.objectOf(node), isRecent: false };
      default:
        return { kind: node.kind };
    }
  };
  const stageBytes = async (id: string, bytes: Uint8Array): Promise<Staged | DiskRefusal> => {
    const file = stagingOf(id);
    await turn('stage');
    checkRoot();
    try {
      disk.writeFile(file, bytes.slice());
      return { kind: 'staged', id, hash: hashOf(bytes), sizeBytes: bytes.length };
    } catch (error) {
      if (disk.find(file) !== null) disk.unlink(file);
      return refusalOf(error);
    }
  };
  const readStaged = (id: string): Staged | null => {
    const inode = inodeAt(stagingOf(id));
    if (inode === null) return null;
    return { kind: 'staged', id, hash: hashOf(inode.bytes), sizeBytes: inode.bytes.length };
  };
  const readPlanned = async (path: DiskPath, stamp: string) => {
    await turn('read');
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
    readFreeBytes: async () => disk.options.capacityBytes - disk.usedBytes(),
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
      await turn('read folder');
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
        return { ...nothing, kind: 'read', object: disk.objectOf(node), entries };
      } catch (error) {
        return { ...nothing, kind: 'unknown', reason: 'unreadable', detail: refusalOf(error).detail };
      }
    },
    readEntry: async (path, { ns }) => {
      await turn('read entry');
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

    stage: async (id, sizeBytes) => {
      const file = stagingOf(id);
      await turn('stage');
      checkRoot();
      if (disk.usedBytes() + sizeBytes > disk.options.capacityBytes) {
        return { kind: 'refused', reason: 'disk_full', detail: 'ENOSPC' };
      }
      let bytes = new Uint8Array(0);
      const write = (next: Uint8Array<ArrayBuffer>) => {
        try {
          disk.writeFile(file, next);
          bytes = next;
        } catch (error) {
          throw new DiskRefusedError(refusalOf(error));
        }
      };
      write(bytes);
      return {
        kind: 'writing',
        get receivedBytes() {
          return bytes.length;
        },
        async append(more) {
          await turn('append');
          const next = new Uint8Array(bytes.length + more.length);
          next.set(bytes);
          next.set(more, bytes.length);
          write(next);
        },
        restart: async () => write(new Uint8Array(0)),
        digest: () => hashOf(bytes),
        finish: async () => ({ kind: 'staged', id, hash: hashOf(bytes), sizeBytes: bytes.length }),
        discard: async () => {
          if (disk.find(file) !== null) disk.unlink(file);
        },
      };
    },
    stageBytes,
    stageCopy: async (id, from, hash) => {
      const way = findWay(from);
      if (way.kind !== 'clear') return way;
      const inode = inodeAt(from);
      if (inode === null || hashOf(inode.bytes) !== hash) return changed;
      return stageBytes(id, inode.bytes);
    },
    readStaged: async (id) => readStaged(id),
    discardStaged: async (id) => {
      if (disk.find(stagingOf(id)) !== null) disk.unlink(stagingOf(id));
    },
    listStaged: async () =>
      disk
        .listNames(`${hidden}/staging`)
        .filter((name) => name.endsWith('.part'))
        .map((name) => name.slice(0, -'.part'.length)),

    create: (path, id) =>
      attempt(async () => {
        const made = makeWay(path);
        if ('kind' in made) return made;
        await step('create: put in place');
        const way = findWay(path);
        if (way.kind !== 'clear') return way;
        const print = printAt(stagingOf(id));
        if (!putInPlace(stagingOf(id), path)) return taken;
        await step('create: done');
        return placed(path, made, print);
      }),
    replace: (path, id, presumed, alsoAt) =>
      attempt(async () => {
        const from = stagingOf(id);
        const before = findPlanned(path, presumed);
        if ('kind' in before) return before;
        disk.setMode(from, before.mode);
        disk.flush(from);
        const stagedPrint = printAt(from);
        await step('replace: staged is flushed');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        let old: Displaced | null = null;
        if (alsoAt !== null) {
          if (inodeAt(alsoAt) !== planned) return changed;
          disk.rename(from, path);
        } else {
          const name = freeName('trash', path);
          if (disk.options.hasHardLinks) {
            disk.link(path, trashFile(name));
            await step('replace: old one has its name in the trash');
            if (inodeAt(path) !== planned) {
              disk.unlink(trashFile(name));
              return changed;
            }
            disk.rename(from, path);
          } else {
            if (!takeAway(path, planned, trashFile(name))) return changed;
            await step('replace: old one is in the trash');
            if (!putInPlace(from, path)) return changed;
          }
          old = displaced(name, planned, print);
        }
        await step('replace: new one is in place');
        const now = placed(path, [], stagedPrint);
        return now.kind === 'placed' ? { ...now, kind: 'replaced' as const, displaced: old } : now;
      }),
    rename: (from, to, presumed) =>
      attempt(async () => {
        const made = makeWay(to);
        if ('kind' in made) return made;
        await step('rename: begin');
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        const standing = disk.find(to);
        if (standing !== null) {
          const isOtherSpelling =
            standing.kind === 'file' && standing.inode === planned && planned.links === 1;
          if (!isOtherSpelling || from === to) return taken;
          disk.rename(from, to);
          return placed(to, made, print);
        }
        if (disk.options.hasHardLinks) {
          disk.link(from, to);
          await step('rename: has both names');
          const aside = stagingOf(newId());
          if (inodeAt(to) !== planned) return changed;
          if (!takeAway(from, planned, aside)) {
            disk.unlink(to);
            return changed;
          }
          disk.unlink(aside);
        } else disk.rename(from, to);
        return placed(to, made, print);
      }),
    finishRename: (from, to) =>
      attempt(async () => {
        await turn('finish rename');
        for (const path of [from, to]) {
          const way = findWay(path);
          if (way.kind !== 'clear') return way;
        }
        const [source, target] = [inodeAt(from), inodeAt(to)];
        if (source === null || source !== target || source.links < 2) return changed;
        disk.unlink(from);
        return { kind: 'done' as const };
      }),
    renameFolder: (from, to) =>
      attempt(async () => {
        await turn('rename folder');
        const made = makeWay(to);
        if ('kind' in made) return made;
        const way = findWay(from);
        if (way.kind !== 'clear') return way;
        const node = disk.find(from);
        if (node?.kind !== 'folder') return changed;
        const standing = disk.find(to);
        if (standing !== null && standing !== node) return taken;
        disk.rename(from, to);
        return { kind: 'folder' as const, object: disk.objectOf(node), madeFolders: made };
      }),
    duplicate: (from, to, presumed) =>
      attempt(async () => {
        const made = makeWay(to);
        if ('kind' in made) return made;
        const planned = findPlanned(from, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        if (disk.find(to) !== null) return taken;
        if (!disk.options.hasHardLinks) {
          disk.writeFile(to, planned.bytes, planned.mode);
          return placed(to, made, printAt(to));
        }
        disk.link(from, to);
        await step('duplicate: has both names');
        const second = inodeAt(to);
        if (second !== null && printOf(second) === print) return placed(to, made, print);
        if (second === planned) disk.unlink(to);
        return changed;
      }),
    moveToTrash: (path, presumed) =>
      attempt(async () => {
        await step('remove: begin');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const print = printOf(planned);
        const name = freeName('trash', path);
        if (!takeAway(path, planned, trashFile(name))) return changed;
        await step('remove: is in the trash');
        const old = displaced(name, planned, print);
        return !old.isAsPlanned && putInPlace(trashFile(name), path) ? changed : old;
      }),
    unlink: (path, presumed) =>
      attempt(async () => {
        await turn('unlink');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        disk.unlink(path);
        return { kind: 'done' as const };
      }),
    rescue: (path, presumed) =>
      attempt(async () => {
        await turn('rescue');
        const planned = findPlanned(path, presumed);
        if ('kind' in planned) return planned;
        const name = freeName('rescued', path);
        disk.rename(path, `${hidden}/rescued/${name}`);
        disk.setMode(`${hidden}/rescued/${name}`, 0o600);
        return { kind: 'rescued' as const, file: `${hidden}/rescued/${name}` };
      }),
    makeFolder: (path) =>
      attempt(async () => {
        await turn('make folder');
        const made = makeWay(path);
        if ('kind' in made) return made;
        const standing = disk.find(path);
        if (standing !== null && standing.kind !== 'folder') {
          return {
            kind: 'blocked' as const,
            by: standing.kind === 'symlink' ? ('symlink' as const) : ('special_file' as const),
            at: path,
          };
        }
        if (standing === null) disk.makeFolder(path);
        const node = disk.find(path);
        if (node === null) return changed;
        return { kind: 'folder' as const, object: disk.objectOf(node), madeFolders: made };
      }),
    removeFolder: (path) =>
      attempt(async () => {
        await turn('remove folder');
        const way = findWay(path);
        if (way.kind !== 'clear') return way;
        if (disk.find(path) === null) return { kind: 'done' as const };
        const names = disk.listNames(path);
        if (!names.every((name) => isJunk(`${path}/${name}`, name))) return { kind: 'not_empty' as const };
        for (const name of names) disk.unlink(`${path}/${name}`);
        disk.removeFolder(path);
        return { kind: 'done' as const };
      }),
    flush: async (paths) => {
      await turn('flush');
      checkRoot();
      const there = paths.filter((path) => inodeAt(path) !== null);
      for (const path of there) disk.flush(path);
      return there;
    },
    checkTrashed: async ({ file, print }) => {
      const inode = inodeAt(trashFile(file));
      if (inode === null) return 'gone';
      return printOf(inode) === print ? 'as_planned' : 'changed';
    },
    putBack: (file, to) =>
      attempt(async () => {
        await turn('put back');
        const made = makeWay(to);
        if ('kind' in made) return made;
        const print = printAt(trashFile(file));
        if (!putInPlace(trashFile(file), to)) return taken;
        return placed(to, made, print);
      }),
    dropTrashed: async (file) => {
      if (disk.find(trashFile(file)) !== null) disk.unlink(trashFile(file));
    },
    listTrash: async () =>
      [...disk.walk()].flatMap(({ path, node }) =>
        node.kind === 'file' && path.startsWith(`${hidden}/trash/`)
          ? [{ file: path.slice(`${hidden}/trash/`.length), sizeBytes: node.inode.bytes.length }]
          : [],
      ),
    watch: async ({ onEvent, isIgnored }) => {
      checkRoot();
      if (watcher() === 'none') return { mode: 'polling', detail: 'played', close: () => {} };
      const close = disk.listen((path) => {
        if (watcher() !== 'events' || path === hidden || path.startsWith(`${hidden}/`)) return;
        if (!isIgnored(path)) onEvent({ kind: 'touched', path });
      });
      return { mode: 'events', detail: null, close };
    },
    [Symbol.asyncDispose]: async () => {},
  };

  function isJunk(path: string, name: string): boolean {
    const inode = inodeAt(path);
    if (inode === null) return false;
    const text = new TextDecoder().decode(inode.bytes);
    return junkNames.has(name) || (name === '.keep' && (text === '' || text === '\n'));
  }

  function plannedStream(path: string, stamp: string, hash: ContentHash, sizeBytes: number) {
    let at = 0;
    const pieces = createHash('sha256');
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await turn('read piece');
          const inode = inodeAt(path);
          const piece =
            inode?.bytes.slice(at, at + Math.min(pieceBytes, sizeBytes - at)) ?? new Uint8Array(0);
          pieces.update(piece);
          at += piece.length;
          const isSound =
            piece.length > 0 &&
            (at < sizeBytes || (disk.stampOf(path) === stamp && pieces.digest('hex') === hash));
          if (!isSound) return controller.error(new ContentChangedError('the file was written'));
          controller.enqueue(piece);
          if (at === sizeBytes) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function refusalOf(error: unknown): DiskRefusal & { readonly kind: 'refused' } {
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
