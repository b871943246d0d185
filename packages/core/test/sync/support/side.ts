import {
  type ContentHash,
  foldersAbove,
  isWithin,
  type NameTraits,
  parseWorkspacePath,
  rebasePath,
  type WorkspacePath,
} from '../../../src/index.ts';
import { diskKey } from '../../../src/names/local-name.ts';
import { emptyContentHash, placeholderHash } from '../../../src/sync/is-placeholder.ts';

export interface Content {
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** Returns content by number: 0 is empty, 1 is a placeholder's, any other has that many bytes. */
export function contentOf(number: number): Content {
  if (number === 0) return { hash: emptyContentHash, sizeBytes: 0 };
  if (number === 1) return { hash: placeholderHash, sizeBytes: 1 };
  return { hash: number.toString(16).padStart(64, '0') as ContentHash, sizeBytes: number };
}

/** The names in use and the traits of the disk. */
export interface Naming {
  readonly traits: NameTraits;
  readonly names: readonly string[];
}

/** For the server and for a case-sensitive disk. */
export const exactNaming: Naming = {
  traits: { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' },
  names: ['a', 'b', 'c', 'd', '.keep', 'ignored'],
};
/** For a disk that folds case and stores names decomposed. */
export const foldingNaming: Naming = {
  traits: { foldsCase: true, unicodeForm: 'changed', forbids: 'nothing' },
  names: ['a', 'A', '\u00e9', '\u00c9', '.keep', 'ignored'],
};
/** For a disk that folds case, where one case of some names is ignored, always or only for folders. */
export const ignoringNaming: Naming = {
  traits: { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' },
  names: ['a', 'A', 'ignored', 'Ignored', 'out', 'Out', '.keep'],
};
/** The same names on a case-sensitive disk. */
export const exactIgnoringNaming: Naming = { ...exactNaming, names: ignoringNaming.names };

/** Returns the path in a tree that a disk finds under this path, folder by folder, in any form of the names. */
export function spelledAmong(
  path: WorkspacePath,
  existing: Iterable<WorkspacePath>,
  traits: NameTraits,
): WorkspacePath {
  if (!traits.foldsCase) return path;
  const spellings = new Map([...existing].map((each) => [diskKey(each, traits), each]));
  let spelled: WorkspacePath | null = null;
  for (const segment of path.split('/')) {
    const given = parseWorkspacePath(spelled === null ? segment : `${spelled}/${segment}`);
    spelled = spellings.get(diskKey(given, traits)) ?? given;
  }
  return spelled ?? path;
}

/** One side: files and folders, each with an object number that survives renames. */
export class Side {
  readonly files = new Map<
    WorkspacePath,
    Content & { readonly object: number; readonly movedFrom: WorkspacePath | null }
  >();
  readonly folders = new Map<WorkspacePath, number>();
  readonly naming: Naming;
  readonly #next: { object: number };

  constructor(next: { object: number }, naming: Naming) {
    this.#next = next;
    this.naming = naming;
  }

  /** @param traits of the disk of the copy. */
  copy(traits = this.naming.traits): Side {
    const copy = new Side(this.#next, { ...this.naming, traits });
    for (const [path, file] of this.files) copy.files.set(path, file);
    for (const [path, object] of this.folders) copy.folders.set(path, object);
    return copy;
  }

  object(): number {
    this.#next.object += 1;
    return this.#next.object;
  }

  /** Returns the path of an existing item as the disk stores it. */
  spelled(path: WorkspacePath): WorkspacePath {
    return spelledAmong(path, [...this.folders.keys(), ...this.files.keys()], this.naming.traits);
  }

  /** Makes a folder with its parents and removes files at their paths. */
  makeFolder(given: WorkspacePath): void {
    const path = this.spelled(given);
    for (const folder of [...foldersAbove(path), path]) {
      this.files.delete(folder);
      if (!this.folders.has(folder)) this.folders.set(folder, this.object());
    }
  }

  write(given: WorkspacePath, content: Content): void {
    const path = this.spelled(given);
    const parent = foldersAbove(path).at(-1);
    if (parent !== undefined) this.makeFolder(parent);
    this.remove(path, { keepFile: true });
    const object = this.files.get(path)?.object ?? this.object();
    this.files.set(path, { ...content, object, movedFrom: this.files.get(path)?.movedFrom ?? null });
  }

  remove(path: WorkspacePath, { keepFile = false }: { readonly keepFile?: boolean } = {}): void {
    if (!keepFile) this.files.delete(path);
    for (const each of [...this.files.keys()])
      if (each !== path && isWithin(each, path)) this.files.delete(each);
    for (const each of [...this.folders.keys()]) if (isWithin(each, path)) this.folders.delete(each);
  }

  /** Renames an item and replaces one at the new path. A name that differs only in form gets the new form. */
  rename(from: WorkspacePath, given: WorkspacePath): void {
    const above = foldersAbove(given).at(-1);
    const name = above === undefined ? given : given.slice(above.length + 1);
    const to = above === undefined ? given : parseWorkspacePath(`${this.spelled(above)}/${name}`);
    const existing = this.spelled(to);
    const isRespelled = existing === from && to !== from;
    if (!isRespelled && (isWithin(existing, from) || isWithin(from, existing))) return;
    const files = [...this.files].filter(([path]) => isWithin(path, from));
    const folders = [...this.folders].filter(([path]) => isWithin(path, from));
    if (files.length + folders.length === 0) return;
    this.remove(from);
    if (!isRespelled) this.remove(existing);
    const parent = foldersAbove(to).at(-1);
    if (parent !== undefined) this.makeFolder(parent);
    for (const [path, object] of folders) this.folders.set(rebasePath(path, from, to), object);
    for (const [path, file] of files)
      this.files.set(rebasePath(path, from, to), { ...file, movedFrom: path });
  }

  swap(a: WorkspacePath, b: WorkspacePath): void {
    const [first, second] = [this.files.get(a), this.files.get(b)];
    if (first === undefined || second === undefined) return;
    this.files.set(a, second);
    this.files.set(b, first);
  }
}

/** A user action encoded as numbers, so that a shrinker can reduce it. */
export interface Deed {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly content: number;
}

export function pathOf(number: number, { names }: Naming): WorkspacePath {
  const depth = (number % 3) + 1;
  const segments: string[] = [];
  for (let left = Math.floor(number / 3), i = 0; i < depth; i += 1) {
    segments.push(names[left % names.length] ?? 'a');
    left = Math.floor(left / names.length);
  }
  return parseWorkspacePath(segments.join('/'));
}

function pick<T>(items: readonly T[], number: number): T | undefined {
  return items[number % Math.max(1, items.length)];
}

export function doDeed(side: Side, { kind, a, b, content }: Deed): void {
  const files = [...side.files.keys()];
  const folders = [...side.folders.keys()];
  const file = pick(files, a);
  const folder = pick(folders, a);
  const locationOf = (number: number): WorkspacePath => pathOf(number, side.naming);
  switch (kind % 12) {
    case 0:
    case 1:
      side.write(locationOf(a), contentOf(content));
      break;
    case 2:
    case 3:
      if (file !== undefined) side.write(file, contentOf(content));
      break;
    case 4:
      if (file !== undefined) side.remove(file);
      break;
    case 5:
    case 6:
      if (file !== undefined) side.rename(file, locationOf(b));
      break;
    case 7:
      if (folder !== undefined) side.rename(folder, locationOf(b));
      break;
    case 8:
      if (folder !== undefined) side.remove(folder);
      break;
    case 9:
      side.makeFolder(locationOf(b));
      break;
    case 10: {
      const other = pick(files, b);
      if (file !== undefined && other !== undefined) side.swap(file, other);
      break;
    }
    case 11: {
      // A chain: one file takes the path of another that moved away.
      const other = pick(files, b);
      if (file === undefined || other === undefined || file === other) break;
      side.rename(other, locationOf(content * 7 + b));
      if (side.files.has(file) && !side.files.has(other)) side.rename(file, other);
      break;
    }
  }
}
