import { mkdirSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DiskPath, TrashedFile, TrashName } from '../engine/ports/local-folder.ts';
import { errorCodeOf } from './disk-errors.ts';
import { look, type Root } from './root.ts';
import { printOf } from './stamp.ts';

const numbersMax = 10_000;
const listedMax = 100_000;

/** Replaced and removed files, under their date and path, so that users can find them by hand. */
export interface Trash {
  /** A free name for a path. Its folders exist. */
  findName(path: DiskPath): TrashName;
  fileOf(name: TrashName): string;
  describe(name: TrashName): TrashedFile | null;
  check(trashed: TrashedFile): 'as_planned' | 'changed' | 'gone';
  /** Deletes the file and the folders that it leaves empty. */
  drop(name: TrashName): Promise<void>;
  list(): Promise<readonly { readonly file: TrashName; readonly sizeBytes: number }[]>;
}

/** @param folderName `trash` or `rescued`, which have the same structure */
export function createTrash(root: Root, folderName: 'trash' | 'rescued', wallNow: () => number): Trash {
  const folder = join(root.hidden, folderName);
  const fileOf = (name: TrashName) => {
    if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw new TypeError(`not a name in the trash: ${JSON.stringify(name)}`);
    }
    return join(folder, name);
  };
  const describe = (name: TrashName): TrashedFile | null => {
    const found = look(fileOf(name));
    return found === null ? null : { file: name, sizeBytes: Number(found.size), print: printOf(found) };
  };
  return {
    fileOf,
    describe,
    findName(path) {
      const day = new Date(wallNow()).toISOString().slice(0, 10);
      const segments = path.split('/');
      let home = day;
      for (const segment of segments.slice(0, -1)) {
        home = `${home}/${freeName(segment, (name) => makeFolder(join(folder, home, name)))}`;
      }
      mkdirSync(join(folder, home), { recursive: true, mode: 0o700 });
      const last = segments.at(-1) ?? '';
      return `${home}/${freeName(last, (name) => look(join(folder, home, name)) === null)}`;
    },
    check(trashed) {
      const now = describe(trashed.file);
      if (now === null) return 'gone';
      return now.print === trashed.print ? 'as_planned' : 'changed';
    },
    async drop(name) {
      await rm(fileOf(name), { force: true });
      for (let above = dirname(name); above !== '.'; above = dirname(above)) {
        const isEmpty = await rmdir(join(folder, above)).then(
          () => true,
          () => false,
        );
        if (!isEmpty) return;
      }
    },
    async list() {
      const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (errorCodeOf(error) === 'ENOENT') return [];
        throw error;
      });
      return names
        .filter((each) => each.isFile())
        .slice(0, listedMax)
        .flatMap((each) => {
          const described = describe(join(each.parentPath, each.name).slice(folder.length + 1));
          return described === null ? [] : [{ file: described.file, sizeBytes: described.sizeBytes }];
        });
    },
  };
}

/** An existing folder is fine; a file of that name is not. */
function makeFolder(file: string): boolean {
  try {
    mkdirSync(file, { recursive: true, mode: 0o700 });
    return true;
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'EEXIST' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** The name itself, or with ` 2`, ` 3`… before its extension. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  const dot = name.lastIndexOf('.');
  const stemEnd = dot <= 0 ? name.length : dot;
  for (let n = 1; n <= numbersMax; n += 1) {
    const suffix = n === 1 ? '' : ` ${n}`;
    const numbered =
      shortened(name.slice(0, stemEnd), suffix.length + name.length - stemEnd) + suffix + name.slice(stemEnd);
    if (isFree(n === 1 ? name : numbered)) return n === 1 ? name : numbered;
  }
  throw new Error(`More than ${numbersMax} files called ${name} are in the trash of today: empty it`);
}

/** Shortens a name so that the number fits into 255 bytes. Characters count as four bytes. */
function shortened(stem: string, rest: number): string {
  return Buffer.byteLength(stem) + rest * 4 <= 255 ? stem : [...stem].slice(0, 40).join('');
}
