import {
  type ContentHash,
  foldersAbove,
  isWithin,
  parseWorkspacePath,
  rebasePath,
  type WorkspacePath,
} from '../../../src/index.ts';
import { emptyContentHash, placeholderHash } from '../../../src/sync/is-placeholder.ts';

export interface Content {
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** Content 0 is empty and content 1 is a placeholder's; all others have a byte for each unit of their number. */
export function contentOf(number: number): Content {
  if (number === 0) return { hash: emptyContentHash, sizeBytes: 0 };
  if (number === 1) return { hash: placeholderHash, sizeBytes: 1 };
  return { hash: number.toString(16).padStart(64, '0') as ContentHash, sizeBytes: number };
}

/** A folder as a person sees it: files and folders, each a thing that keeps its number when it is renamed. */
export class Side {
  readonly files = new Map<
    WorkspacePath,
    Content & { readonly object: number; readonly movedFrom: WorkspacePath | null }
  >();
  readonly folders = new Map<WorkspacePath, number>();
  readonly #next: { object: number };

  constructor(next: { object: number }) {
    this.#next = next;
  }

  copy(): Side {
    const copy = new Side(this.#next);
    for (const [path, file] of this.files) copy.files.set(path, file);
    for (const [path, object] of this.folders) copy.folders.set(path, object);
    return copy;
  }

  object(): number {
    this.#next.object += 1;
    return this.#next.object;
  }

  /** Makes room above: a file in the way goes. */
  makeFolder(path: WorkspacePath): void {
    for (const folder of [...foldersAbove(path), path]) {
      this.files.delete(folder);
      if (!this.folders.has(folder)) this.folders.set(folder, this.object());
    }
  }

  write(path: WorkspacePath, content: Content): void {
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

  /** A file or a folder; what is at `to` is replaced. */
  rename(from: WorkspacePath, to: WorkspacePath): void {
    if (isWithin(to, from) || isWithin(from, to)) return;
    const files = [...this.files].filter(([path]) => isWithin(path, from));
    const folders = [...this.folders].filter(([path]) => isWithin(path, from));
    if (files.length + folders.length === 0) return;
    this.remove(from);
    this.remove(to);
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

/** What a person did, by numbers that a shrinker can make smaller. */
export interface Deed {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly content: number;
}

const names = ['a', 'b', 'c', 'd', '.keep', 'ignored'];

export function pathOf(number: number): WorkspacePath {
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
  switch (kind % 12) {
    case 0:
    case 1:
      side.write(pathOf(a), contentOf(content));
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
      if (file !== undefined) side.rename(file, pathOf(b));
      break;
    case 7:
      if (folder !== undefined) side.rename(folder, pathOf(b));
      break;
    case 8:
      if (folder !== undefined) side.remove(folder);
      break;
    case 9:
      side.makeFolder(pathOf(b));
      break;
    case 10: {
      const other = pick(files, b);
      if (file !== undefined && other !== undefined) side.swap(file, other);
      break;
    }
    case 11: {
      // A chain: one takes the place of another, which moved on.
      const other = pick(files, b);
      if (file === undefined || other === undefined || file === other) break;
      side.rename(other, pathOf(content * 7 + b));
      if (side.files.has(file) && !side.files.has(other)) side.rename(file, other);
      break;
    }
  }
}
