import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Random, seededRandom } from '../support/random.ts';
import { bytesOf, type Call, descriptorOf } from './read-trace.ts';

interface Moment {
  readonly entry: number;
  readonly exit: number;
}
type Write = Moment & ({ readonly offset: number; readonly bytes: Buffer } | { readonly size: number });
interface FileNode {
  readonly writes: Write[];
  readonly syncs: Moment[];
}
/** A change of a name, durable once its folder is synced. */
interface NameChange extends Moment {
  readonly folder: string;
  readonly removed: string | null;
  readonly added: { readonly path: string; readonly node: FileNode | 'folder' } | null;
}

/** The operations of a program on the files of one folder, beginning with an empty folder. */
export interface RecordedDisk {
  readonly folder: string;
  readonly names: readonly NameChange[];
  readonly folderSyncs: ReadonlyMap<string, readonly Moment[]>;
  /** The moments of all calls that changed something. */
  readonly moments: readonly Moment[];
}

const sectorBytes = 512;

/** @throws Error for a call with an effect on the folder that is not known here. */
export function recordDisk(calls: readonly Call[], folder: string): RecordedDisk {
  const names: NameChange[] = [];
  const folderSyncs = new Map<string, Moment[]>();
  const moments: Moment[] = [];
  const current = new Map<string, FileNode | 'folder'>();
  const open = new Map<
    number,
    { readonly path: string; readonly node: FileNode | 'folder'; position: number }
  >();
  const isInside = (path: string) => path.startsWith(`${folder}/`);
  const pathIn = (call: Call, which = 0): string => {
    const texts = call.arguments.filter((argument) => argument.startsWith('"'));
    return bytesOf(texts[which] ?? '').toString();
  };
  const rename = (call: Call, change: Pick<NameChange, 'removed' | 'added' | 'folder'>) => {
    const { entry, exit } = call;
    names.push({ entry, exit, ...change });
    moments.push({ entry, exit });
    if (change.removed !== null) current.delete(change.removed);
    if (change.added !== null) current.set(change.added.path, change.added.node);
  };
  const write = (
    node: FileNode,
    call: Call,
    change: { offset: number; bytes: Buffer } | { size: number },
  ) => {
    const { entry, exit } = call;
    node.writes.push({ entry, exit, ...change });
    moments.push({ entry, exit });
  };
  for (const call of calls) {
    const { name } = call;
    switch (name) {
      case 'openat':
      case 'open':
      case 'creat': {
        const path = pathIn(call);
        open.delete(call.result);
        if (!isInside(path) && path !== folder) break;
        const flags = call.arguments.find((argument) => /\bO_/.test(argument)) ?? '';
        const makes = flags.includes('O_CREAT') && !current.has(path);
        if (makes) rename(call, { folder: dirname(path), removed: null, added: { path, node: newFile() } });
        const node = path === folder ? 'folder' : current.get(path);
        // A file from before the recording, or something other than a file.
        if (node === undefined) break;
        if (flags.includes('O_TRUNC') && node !== 'folder' && !makes) write(node, call, { size: 0 });
        open.set(call.result, { path, node, position: flags.includes('O_APPEND') ? Number.NaN : 0 });
        break;
      }
      case 'close':
        open.delete(descriptorOf(call.arguments[0] ?? ''));
        break;
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev': {
        const file = open.get(descriptorOf(call.arguments[0] ?? ''));
        if (file === undefined || file.node === 'folder') break;
        const bytes = bytesOf(call.arguments[1] ?? '').subarray(0, call.result);
        if (bytes.length < call.result)
          throw new Error(`the trace has not all bytes of a write to ${file.path}`);
        const offset = name.startsWith('p') ? Number(call.arguments.at(-1)) : file.position;
        if (Number.isNaN(offset)) throw new Error(`a write to the end of ${file.path} is not understood`);
        if (!name.startsWith('p')) file.position += call.result;
        write(file.node, call, { offset, bytes });
        break;
      }
      case 'ftruncate': {
        const file = open.get(descriptorOf(call.arguments[0] ?? ''));
        if (file === undefined || file.node === 'folder') break;
        write(file.node, call, { size: Number(call.arguments[1]) });
        break;
      }
      case 'fsync':
      case 'fdatasync': {
        const file = open.get(descriptorOf(call.arguments[0] ?? ''));
        if (file === undefined) break;
        const { entry, exit } = call;
        if (file.node === 'folder')
          folderSyncs.set(file.path, [...(folderSyncs.get(file.path) ?? []), { entry, exit }]);
        else file.node.syncs.push({ entry, exit });
        break;
      }
      case 'mkdir':
      case 'mkdirat': {
        const path = pathIn(call);
        if (isInside(path))
          rename(call, { folder: dirname(path), removed: null, added: { path, node: 'folder' } });
        break;
      }
      case 'rename':
      case 'renameat':
      case 'renameat2':
      case 'link':
      case 'linkat': {
        const [from, to] = [pathIn(call, 0), pathIn(call, 1)];
        if (!isInside(to)) break;
        const node = current.get(from);
        if (node === undefined) throw new Error(`${name} of ${from}, which was never created`);
        const removed = name.startsWith('rename') ? from : null;
        rename(call, { folder: dirname(to), removed, added: { path: to, node } });
        break;
      }
      case 'unlink':
      case 'unlinkat':
      case 'rmdir': {
        const path = pathIn(call);
        if (isInside(path)) rename(call, { folder: dirname(path), removed: path, added: null });
        break;
      }
      default:
        if (call.arguments.some((argument) => argument.includes(hexOf(folder)))) {
          throw new Error(`the effect of ${name} on the folder is not understood`);
        }
    }
  }
  return { folder, names, folderSyncs, moments };
}

function newFile(): FileNode {
  return { writes: [], syncs: [] };
}

function hexOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The parts of not yet durable data that a disk may keep after a power loss. */
export const losses = ['nothing', 'everything', 'the first of it', 'some of it'] as const;
export type Loss = (typeof losses)[number];

export interface Drawing {
  /** The part of not yet durable data that the disk keeps. */
  readonly kept: Loss;
  readonly random: Random;
  /** False for a disk that lies: its syncs make nothing durable. */
  readonly areSyncsKept?: boolean;
}

/**
 * Draws one of the possible states of a disk after a power loss at `cut`: everything durable, and the part of the rest
 * that `kept` names. Each change of a name and each write is drawn separately. Some writes are cut off at a sector.
 * @returns by path, the bytes of files and null for folders.
 */
export function drawState(
  { folder, names, folderSyncs }: RecordedDisk,
  cut: number,
  { kept, random, areSyncsKept = true }: Drawing,
): ReadonlyMap<string, Buffer | null> {
  const isDurable = ({ exit }: Moment, syncs: readonly Moment[]) =>
    areSyncsKept && syncs.some((sync) => sync.entry >= exit && sync.exit <= cut);
  const prefixEnd = cut - random.below(20_000) / 10;
  const isKept = (moment: Moment, syncs: readonly Moment[]): boolean => {
    if (isDurable(moment, syncs)) return true;
    switch (kept) {
      case 'nothing':
        return false;
      case 'everything':
        return moment.exit <= cut;
      case 'the first of it':
        return moment.exit <= prefixEnd;
      case 'some of it':
        return random.below(2) === 0;
    }
  };
  const existing = new Map<string, FileNode | 'folder'>();
  for (const change of names) {
    if (change.entry > cut || !isKept(change, folderSyncs.get(change.folder) ?? [])) continue;
    if (change.removed !== null) existing.delete(change.removed);
    if (change.added !== null) existing.set(change.added.path, change.added.node);
  }
  // The content of a folder whose own name is lost cannot be reached.
  const isReachable = (path: string): boolean => {
    const above = dirname(path);
    return above === folder || (existing.get(above) === 'folder' && isReachable(above));
  };
  const bytesAfterCut = ({ writes, syncs }: FileNode): Buffer => {
    const bytes = new GrowingBytes();
    for (const write of writes) {
      if (write.entry > cut || !isKept(write, syncs)) continue;
      if ('size' in write) {
        bytes.resize(write.size);
        continue;
      }
      const isTorn = kept === 'some of it' && !isDurable(write, syncs) && random.below(4) === 0;
      const wholeSectors = Math.floor(write.bytes.length / sectorBytes);
      const part = isTorn
        ? write.bytes.subarray(0, random.below(wholeSectors + 1) * sectorBytes)
        : write.bytes;
      bytes.write(part, write.offset);
    }
    return bytes.all();
  };
  return new Map(
    [...existing]
      .filter(([path]) => isReachable(path))
      .map(([path, node]) => [path, node === 'folder' ? null : bytesAfterCut(node)]),
  );
}

/** A buffer that doubles its capacity: a log grows by a few bytes a thousand times. */
class GrowingBytes {
  #room: Buffer = Buffer.alloc(0);
  #length = 0;

  /** Fills new bytes with zeros, also where there were bytes before it shrank. */
  resize(length: number): void {
    if (length > this.#room.length) {
      const room = Buffer.alloc(Math.max(length, 2 * this.#room.length));
      this.#room.copy(room);
      this.#room = room;
    } else if (length < this.#length) {
      this.#room.fill(0, length, this.#length);
    }
    this.#length = length;
  }

  write(part: Buffer, offset: number): void {
    if (offset + part.length > this.#length) this.resize(offset + part.length);
    part.copy(this.#room, offset);
  }

  all(): Buffer {
    return this.#room.subarray(0, this.#length);
  }
}

/** Writes a state of the disk below another folder. */
export async function layOut(
  disk: RecordedDisk,
  cut: number,
  drawing: Drawing,
  folder: string,
): Promise<void> {
  for (const [path, bytes] of drawState(disk, cut, drawing)) {
    const location = join(folder, relative(disk.folder, path));
    await mkdir(bytes === null ? location : dirname(location), { recursive: true, mode: 0o700 });
    if (bytes !== null) await writeFile(location, bytes, { mode: 0o600 });
  }
}

/** Checks that a disk that keeps everything equals the folder: the recording missed and misread no call. */
export async function assertUnderstood(disk: RecordedDisk): Promise<void> {
  const { folder } = disk;
  const drawn = drawState(disk, Number.POSITIVE_INFINITY, { kept: 'everything', random: seededRandom(1) });
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // The database's shared memory is not written by calls. The first process that opens the database rebuilds it.
    if (!entry.isFile() || path.endsWith('-shm')) continue;
    files.push(path);
    assert.ok(drawn.get(path)?.equals(await readFile(path)), `${path} is not what was recorded`);
  }
  const recorded = [...drawn].flatMap(([path, bytes]) =>
    bytes === null || path.endsWith('-shm') ? [] : [path],
  );
  assert.deepEqual(recorded.toSorted(), files.toSorted());
}
