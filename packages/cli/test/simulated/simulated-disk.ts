import { diskKey, type NameTraits, type ObjectId, type Stamp } from '@stoa/core';

/** The entry behind one name. Hard links of a file share its inode. */
export type DiskNode =
  | { readonly kind: 'file'; readonly inode: Inode }
  | { readonly kind: 'folder'; readonly inode: number; readonly birth: number; readonly children: Children }
  | { readonly kind: 'symlink'; readonly to: string }
  | { readonly kind: 'special_file' };

export interface Inode {
  readonly ino: number;
  readonly birth: number;
  bytes: Uint8Array<ArrayBuffer>;
  mtime: number;
  ctime: number;
  mode: number;
  links: number;
  /** Content after a power loss; null if it was never flushed. */
  flushed: Uint8Array<ArrayBuffer> | null;
}

type Children = Map<string, { name: string; node: DiskNode }>;
type Folder = DiskNode & { readonly kind: 'folder' };

/** Error of the disk: `code` is an errno. */
export class DiskError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface DiskOptions {
  readonly names: NameTraits;
  readonly hasHardLinks: boolean;
  readonly hasStableObjects: boolean;
  /** Size of the disk in bytes. */
  readonly capacityBytes: number;
  /** Whether folders report when a name was last added or removed. Default: false, so that no entry seems recent. */
  readonly hasFolderTimes?: boolean;
  /** The disk's clock in milliseconds. It stamps the files. */
  readonly now: () => number;
}

export const plainDisk: Omit<DiskOptions, 'now'> = {
  names: { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' },
  hasHardLinks: true,
  hasStableObjects: true,
  capacityBytes: 2 ** 40,
};

/** An event as a watcher of the whole disk receives it. Paths are relative to the root. */
export type DiskEvent = (path: string) => void;

/**
 * A disk in memory. It has names and inodes, hard links, symlinks that it never follows and its own clock. It also
 * records which content was flushed. Every method is synchronous; the simulation interleaves the steps of its callers.
 */
export class SimulatedDisk {
  readonly options: DiskOptions;
  readonly #root: Folder;
  #lastIno = 1;
  #tick = 0;
  #lastStamp = 0;
  readonly #listeners = new Set<DiskEvent>();
  readonly #namesChangedAt = new WeakMap<DiskNode, number>();
  /** Returns the errno to fail an operation with, or null to perform it. */
  fault: (act: 'read' | 'write', path: string) => string | null = () => null;
  /** Starts with the value of the options. */
  capacityBytes: number;

  constructor(options: DiskOptions) {
    this.options = options;
    this.capacityBytes = options.capacityBytes;
    this.#root = this.#newFolder();
  }

  listen(listener: DiskEvent): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the disk's own clock. No two writes get the same stamp, as with nanoseconds. */
  stampNow(): number {
    this.#tick = (this.#tick + 1) % 1000;
    const now = this.options.now() * 1000 + this.#tick;
    // A stamp goes back only if the clock does, by more than a millisecond.
    const isBackByTicks = now <= this.#lastStamp && now >= this.#lastStamp - 1000;
    this.#lastStamp = isBackByTicks ? this.#lastStamp + 1 : now;
    return this.#lastStamp;
  }

  usedBytes(): number {
    const inodes = new Set<Inode>();
    for (const { node } of this.walk()) if (node.kind === 'file') inodes.add(node.inode);
    return [...inodes].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  hasRoomFor(bytes: number): boolean {
    // Fast path: counting the bytes of an unlimited disk would dominate the run time.
    return this.capacityBytes >= plainDisk.capacityBytes || this.usedBytes() + bytes <= this.capacityBytes;
  }

  /** Yields all names in the order of creation, each folder before its entries. */
  *walk(folder: Folder = this.#root, above = ''): Generator<{ path: string; node: DiskNode }> {
    for (const { name, node } of folder.children.values()) {
      const path = above === '' ? name : `${above}/${name}`;
      yield { path, node };
      if (node.kind === 'folder') yield* this.walk(node, path);
    }
  }

  find(path: string): DiskNode | null {
    let node: DiskNode = this.#root;
    for (const segment of segmentsOf(path)) {
      if (node.kind !== 'folder') return null;
      const child: DiskNode | undefined = node.children.get(this.#key(segment))?.node;
      if (child === undefined) return null;
      node = child;
    }
    return node;
  }

  /** Returns the path as the disk spells it, or null if nothing is there. */
  spellingOf(path: string): string | null {
    let node: DiskNode = this.#root;
    const spelled: string[] = [];
    for (const segment of segmentsOf(path)) {
      const child: { name: string; node: DiskNode } | undefined =
        node.kind === 'folder' ? node.children.get(this.#key(segment)) : undefined;
      if (child === undefined) return null;
      spelled.push(child.name);
      node = child.node;
    }
    return spelled.join('/');
  }

  listNames(path: string): string[] {
    this.#check('read', path);
    const node = this.find(path);
    if (node?.kind !== 'folder') throw new DiskError(node === null ? 'ENOENT' : 'ENOTDIR');
    return [...node.children.values()].map(({ name }) => name);
  }

  readFile(path: string): Uint8Array<ArrayBuffer> {
    this.#check('read', path);
    return this.#fileAt(path).bytes;
  }

  /** Writes in place, as an editor that opens and writes the file. Creates the file if it is missing. */
  writeFile(path: string, bytes: Uint8Array<ArrayBuffer>, mode = 0o644): Inode {
    this.#check('write', path);
    const existing = this.find(path);
    const before = existing?.kind === 'file' ? existing.inode.bytes.length : 0;
    if (!this.hasRoomFor(bytes.length - before)) throw new DiskError('ENOSPC');
    if (existing !== null && existing.kind !== 'file') throw new DiskError('EISDIR');
    if (existing !== null) {
      existing.inode.bytes = bytes.slice();
      existing.inode.mtime = existing.inode.ctime = this.stampNow();
      this.#notify(path);
      return existing.inode;
    }
    const now = this.stampNow();
    const inode: Inode = {
      ino: this.#newIno(),
      birth: now,
      bytes: bytes.slice(),
      mtime: now,
      ctime: now,
      mode,
      links: 1,
      flushed: null,
    };
    this.#put(path, { kind: 'file', inode });
    return inode;
  }

  /** Creates one folder. Its parent must exist. */
  makeFolder(path: string): void {
    this.#check('write', path);
    if (this.find(path) !== null) throw new DiskError('EEXIST');
    this.#put(path, this.#newFolder());
  }

  makeFolders(path: string): void {
    const segments = segmentsOf(path);
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const above = segments.slice(0, depth).join('/');
      if (this.find(above) === null) this.makeFolder(above);
    }
  }

  makeSymlink(path: string, to: string): void {
    this.#put(path, { kind: 'symlink', to });
  }

  makeSpecialFile(path: string): void {
    this.#put(path, { kind: 'special_file' });
  }

  link(from: string, to: string): void {
    this.#check('write', to);
    if (!this.options.hasHardLinks) throw new DiskError('EPERM');
    if (this.find(to) !== null) throw new DiskError('EEXIST');
    const inode = this.#fileAt(from);
    inode.links += 1;
    inode.ctime = this.stampNow();
    this.#put(to, { kind: 'file', inode });
  }

  /** Replaces a file at `to`, as `rename` does. */
  rename(from: string, to: string): void {
    this.#check('write', from);
    this.#check('write', to);
    const node = this.find(from);
    if (node === null) throw new DiskError('ENOENT');
    if (`${to}/`.startsWith(`${from}/`) && from !== to) throw new DiskError('EINVAL');
    const existing = this.find(to);
    if (existing !== null && existing !== node) {
      if (node.kind === 'folder' && existing.kind !== 'folder') throw new DiskError('ENOTDIR');
      if (node.kind !== 'folder' && existing.kind === 'folder') throw new DiskError('EISDIR');
      if (existing.kind === 'folder' && existing.children.size > 0) throw new DiskError('ENOTEMPTY');
    }
    const isSameFile =
      node.kind === 'file' && existing?.kind === 'file' && node.inode === existing.inode && node !== existing;
    // POSIX: renaming between two names of one file does nothing.
    if (isSameFile) return;
    this.#parentOf(to);
    if (existing !== null && existing !== node) this.#drop(to);
    this.#drop(from, 'renamed');
    this.#put(to, node);
    if (node.kind === 'file') node.inode.ctime = this.stampNow();
  }

  unlink(path: string): void {
    this.#check('write', path);
    const node = this.find(path);
    if (node === null) throw new DiskError('ENOENT');
    if (node.kind === 'folder') throw new DiskError('EISDIR');
    this.#drop(path);
  }

  removeFolder(path: string): void {
    this.#check('write', path);
    const node = this.find(path);
    if (node?.kind !== 'folder') throw new DiskError(node === null ? 'ENOENT' : 'ENOTDIR');
    if (node.children.size > 0) throw new DiskError('ENOTEMPTY');
    this.#drop(path);
  }

  /** Removes a file, or a folder with all its entries. */
  remove(path: string): void {
    const node = this.find(path);
    if (node?.kind === 'folder') {
      for (const name of this.listNames(path)) this.remove(`${path}/${name}`);
      this.removeFolder(path);
    } else if (node !== null) this.unlink(path);
  }

  setMode(path: string, mode: number): void {
    const inode = this.#fileAt(path);
    inode.mode = mode;
    inode.ctime = this.stampNow();
  }

  flush(path: string): void {
    const inode = this.#fileAt(path);
    inode.flushed = inode.bytes;
  }

  /**
   * Simulates a power loss: names survive, but content that was not flushed may be damaged.
   * @param isDamaged decides for each file with such content.
   */
  losePower(isDamaged: (path: string) => boolean): void {
    const seen = new Set<Inode>();
    for (const { path, node } of this.walk()) {
      if (node.kind !== 'file' || seen.has(node.inode) || node.inode.flushed === node.inode.bytes) continue;
      seen.add(node.inode);
      if (isDamaged(path)) node.inode.bytes = node.inode.flushed ?? new Uint8Array(node.inode.bytes.length);
    }
  }

  stampOf(path: string): Stamp {
    const { ino, bytes, mtime, ctime } = this.#fileAt(path);
    return `1:${ino}:${bytes.length}:${mtime}:${ctime}` as Stamp;
  }

  objectOf(node: DiskNode): ObjectId | null {
    if (!this.options.hasStableObjects) return null;
    if (node.kind === 'file') return `1:${node.inode.ino}:${node.inode.birth}` as ObjectId;
    if (node.kind === 'folder') return `1:${node.inode}:${node.birth}` as ObjectId;
    return null;
  }

  /** Returns when a name was last added to or removed from a folder, or null if it is unknown. */
  namesChangedAt(folder: DiskNode): number | null {
    return this.#namesChangedAt.get(folder) ?? null;
  }

  #noteNames(folder: Folder): void {
    if (this.options.hasFolderTimes === true) this.#namesChangedAt.set(folder, this.stampNow());
  }

  #newFolder(): Folder {
    return { kind: 'folder', inode: this.#newIno(), birth: this.stampNow(), children: new Map() };
  }

  #newIno(): number {
    this.#lastIno += 1;
    return this.#lastIno;
  }

  #fileAt(path: string): Inode {
    const node = this.find(path);
    if (node === null) throw new DiskError('ENOENT');
    if (node.kind === 'symlink') throw new DiskError('ELOOP');
    if (node.kind !== 'file') throw new DiskError('EISDIR');
    return node.inode;
  }

  #parentOf(path: string): Folder {
    const parent = this.find(segmentsOf(path).slice(0, -1).join('/'));
    if (parent === null) throw new DiskError('ENOENT');
    if (parent.kind !== 'folder') throw new DiskError('ENOTDIR');
    return parent;
  }

  #put(path: string, node: DiskNode): void {
    const given = segmentsOf(path).at(-1) ?? '';
    const name = this.options.names.unicodeForm === 'changed' ? given.normalize('NFD') : given;
    if (this.options.names.forbids === 'windows' && /[\\:*?"<>|]|[. ]$/.test(name))
      throw new DiskError('EINVAL');
    const parent = this.#parentOf(path);
    parent.children.set(this.#key(given), { name, node });
    this.#noteNames(parent);
    this.#notify(path);
  }

  #drop(path: string, how: 'unlinked' | 'renamed' = 'unlinked'): void {
    const node = this.find(path);
    const parent = this.#parentOf(path);
    parent.children.delete(this.#key(segmentsOf(path).at(-1) ?? ''));
    this.#noteNames(parent);
    if (how === 'unlinked' && node?.kind === 'file') {
      node.inode.links -= 1;
      node.inode.ctime = this.stampNow();
    }
    this.#notify(path);
  }

  #key(segment: string): string {
    return diskKey(segment, this.options.names);
  }

  #check(act: 'read' | 'write', path: string): void {
    const code = this.fault(act, path);
    if (code !== null) throw new DiskError(code);
  }

  #notify(path: string): void {
    for (const listener of [...this.#listeners]) listener(path);
  }
}

export function segmentsOf(path: string): string[] {
  return path === '' ? [] : path.split('/');
}
