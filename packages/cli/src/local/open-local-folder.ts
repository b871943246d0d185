import { randomUUID } from 'node:crypto';
import { type BigIntStats, chmodSync, readFileSync, renameSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RulesUnreadableError } from '../engine/ports/ignore-rules.ts';
import type { DiskPath, DiskTraits, LocalFolder } from '../engine/ports/local-folder.ts';
import type { OnStep } from '../engine/ports/pace.ts';
import { createChanging, syncFile } from './change-files.ts';
import { errorCodeOf } from './disk-errors.ts';
import {
  parseIgnoreRules,
  privateRulesName,
  rememberIgnoreRules,
  rulesBytesMax,
  sharedRulesName,
} from './ignore-rules.ts';
import { probeDisk } from './probe.ts';
import { hashFile, openContent, readPlanned } from './read-contents.ts';
import { readEntry, readFolder } from './read-folder.ts';
import { look, openRoot } from './root.ts';
import { createStaging } from './staging.ts';
import { objectOf } from './stamp.ts';
import { createTimeSlice } from './time-slice.ts';
import { createTrash } from './trash.ts';
import { type OpenedWatch, watchFolder } from './watch-folder.ts';

export interface LocalFolderOptions {
  /** Absolute path of a linked folder. */
  readonly folder: string;
  /** Milliseconds since the epoch, for the dates in the trash. */
  readonly wallNow: () => number;
  readonly onStep?: OnStep;
  /** False in tests on small disks: the whole disk may be used. */
  readonly isReserveKept?: boolean;
  /** For tests: the free bytes of the disk. */
  readonly freeBytes?: () => number;
  /** For tests: the traits of the disk. */
  readonly traits?: DiskTraits;
}

/** Name for a file saved at the last moment before another was removed, by a process that ended there. */
const rescuedName = 'saved meanwhile';

/** Opens the folder on this machine's disk. @throws FolderGoneError */
export function openLocalFolder(options: LocalFolderOptions): LocalFolder {
  const { folder, wallNow, onStep = () => {}, isReserveKept = true } = options;
  const root = openRoot(folder);
  const staging = createStaging(root, isReserveKept, options.freeBytes);
  const trash = createTrash(root, 'trash', wallNow);
  const rescued = createTrash(root, 'rescued', wallNow);
  let known = options.traits ?? null;
  const stagingFolder = dirname(staging.fileOf('any'));
  const traits = () => {
    known ??= probeDisk(stagingFolder);
    return known;
  };
  const object = (found: BigIntStats) => (traits().hasStableObjects ? objectOf(found) : null);
  const slice = createTimeSlice();
  const rulesOf = rememberIgnoreRules();
  const readShared = rememberRulesText(join(folder, sharedRulesName));
  const readPrivate = rememberRulesText(join(root.hidden, privateRulesName));
  let watching: OpenedWatch | null = null;
  const reading = { root, slice, objectOf: object, watching: () => watching };

  return {
    readIdentity: async () => ({ root: objectOf(root.check()), bootId: readBootId() }),
    probe: async () => traits(),
    takeTraits: (traits) => {
      known = traits;
    },
    readFreeBytes: async () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    readIgnoreRules: async () => {
      root.check();
      return rulesOf({ shared: readShared(), private: readPrivate() });
    },
    parseIgnoreRules,

    readDiskTime: async () => {
      root.check();
      const clock = join(stagingFolder, 'clock');
      writeFileSync(clock, '', { mode: 0o600 });
      return { ns: look(clock)?.mtimeNs ?? 0n };
    },
    readFolder: (path, time) => readFolder(reading, path, time),
    readEntry: async (path, time) => readEntry(reading, path, time),
    hashFile: async (path, stamp) => {
      await slice.pass();
      return hashFile(root, path, stamp);
    },
    readBytes: (path, presumed, maxBytes) => readPlanned(root, path, presumed, maxBytes),
    openContent: (path, presumed) => openContent(root, path, presumed),

    stage: staging.begin,
    stageBytes: staging.putBytes,
    stageCopy: staging.copy,
    readStaged: staging.read,
    discardStaged: async (id) => {
      if (!staging.holdsAnother(id)) return staging.discard(id);
      const file = rescued.fileOf(rescued.findName(rescuedName));
      renameSync(staging.fileOf(id), file);
      chmodSync(file, 0o600);
    },
    listStaged: staging.list,

    ...createChanging({
      root,
      staging,
      trash,
      rescued,
      traits,
      objectOf: object,
      newId: () => randomUUID(),
      onStep,
    }),

    flush: async (paths) => {
      root.check();
      const flushed = new Set<DiskPath>();
      await eachAtOnce(paths, async (path) => {
        if (await syncPath(root.absolute(path))) flushed.add(path);
      });
      const folders = new Set([...flushed].map((path) => dirname(root.absolute(path))));
      await eachAtOnce([...folders], (above) => syncFile(above, 'folder').catch(() => {}));
      return paths.filter((path) => flushed.has(path));
    },
    checkTrashed: async (trashed) => trash.check(trashed),
    dropTrashed: trash.drop,
    listTrash: trash.list,
    watch: async (options) => {
      root.check();
      watching = watchFolder(root, options);
      return watching;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Number of concurrent flushes. A journaling disk writes its journal once for all of them. */
const flushesAtOnce = 16;

async function eachAtOnce<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(flushesAtOnce, items.length) }, work));
}

async function syncPath(file: string): Promise<boolean> {
  try {
    const found = look(file);
    if (found === null || !found.isFile()) return false;
    await syncFile(file, 'all');
    return true;
  } catch {
    // It stays marked as not flushed. A power failure then only makes it untrusted.
    return false;
  }
}

/**
 * Reads rules. On a temporary disk error, the last known rules apply; without rules, private files would be sent.
 * @returns a function that throws RulesUnreadableError as long as no read has succeeded
 */
function rememberRulesText(file: string): () => string | null {
  let known: { readonly text: string | null } | null = null;
  const read = (): string | null => {
    const found = look(file);
    if (found === null || !found.isFile() || found.size > rulesBytesMax) return null;
    return readFileSync(file, 'utf8');
  };
  return () => {
    try {
      known = { text: read() };
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === null) throw error;
      if (code === 'ENOENT') known = { text: null };
      else if (known === null) throw new RulesUnreadableError(file, code, { cause: error });
    }
    return known.text;
  };
}

/** An id that changes with each start of the system, and only then. */
function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
