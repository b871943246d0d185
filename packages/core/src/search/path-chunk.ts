import { fileNameOf, placeholderName, type WorkspacePath } from '../workspace-path.ts';
import { characterMask } from './character-mask.ts';
import { pushSymbols, slash } from './search-symbols.ts';

/**
 * Limits of one chunk: paths and their characters. A change of one path packs the whole chunk again, so they bound its
 * cost.
 */
const chunkPathsMax = 128;
const chunkCharactersMax = 16_384;

/** A run of sorted paths, packed for search. Immutable: a change creates another chunk. */
export interface PathChunk {
  /** Ascending by code point, not empty. */
  readonly paths: readonly WorkspacePath[];
  /** The symbols of all paths, in order, without the folders that a path shares with the one before it. */
  readonly symbols: Uint32Array;
  /** By path: the end of its symbols, and the start of those of its name. */
  readonly ends: Uint32Array;
  readonly nameStarts: Uint32Array;
  /** By path: the number of folders, from the outermost, that it shares with the previous path in the chunk. */
  readonly sharedFolders: Uint16Array;
  /** By path: the characters of it and of its name, as a `characterMask`. */
  readonly masks: Int32Array;
  readonly nameMasks: Int32Array;
  /** By path: 1 for a placeholder that only keeps its folder (interface: paths, Files and folders). */
  readonly placeholders: Uint8Array;
  /** Estimated memory of the chunk, in bytes. */
  readonly sizeBytes: number;
}

/** Packs sorted paths into as many chunks as they need. Halves them until they fit, so that no chunk is almost full. */
export function packPaths(paths: readonly WorkspacePath[]): PathChunk[] {
  if (paths.length === 0) return [];
  if (paths.length === 1 || fitsChunk(paths)) return [packChunk(paths)];
  const half = paths.length >> 1;
  return [...packPaths(paths.slice(0, half)), ...packPaths(paths.slice(half))];
}

function fitsChunk(paths: readonly WorkspacePath[]): boolean {
  const characters = paths.reduce((sum, path) => sum + path.length, 0);
  return paths.length <= chunkPathsMax && characters <= chunkCharactersMax;
}

function packChunk(paths: readonly WorkspacePath[]): PathChunk {
  const symbols: number[] = [];
  const ends = new Uint32Array(paths.length);
  const nameStarts = new Uint32Array(paths.length);
  const sharedFolders = new Uint16Array(paths.length);
  const masks = new Int32Array(paths.length);
  const nameMasks = new Int32Array(paths.length);
  const placeholders = new Uint8Array(paths.length);
  let before = '';
  let textBytes = 0;
  paths.forEach((path, i) => {
    const shared = sharedFolderPath(before, path);
    const name = fileNameOf(path);
    pushSymbols(path.slice(shared.length, path.length - name.length), symbols);
    nameStarts[i] = symbols.length;
    pushSymbols(name, symbols);
    ends[i] = symbols.length;
    sharedFolders[i] = shared.split('/').length - 1;
    nameMasks[i] = characterMask(name);
    masks[i] = characterMask(path);
    if (name === placeholderName) placeholders[i] = 1;
    before = path;
    textBytes += path.length + 48;
  });
  const sizeBytes = symbols.length * 4 + textBytes + 512;
  return {
    paths,
    symbols: Uint32Array.from(symbols),
    ends,
    nameStarts,
    sharedFolders,
    masks,
    nameMasks,
    placeholders,
    sizeBytes,
  };
}

// Compares the original paths: folders that differ only in case have equal symbols but are two folders.
function sharedFolderPath(a: string, b: string): string {
  let end = 0;
  for (let i = 0; i < a.length && a.charCodeAt(i) === b.charCodeAt(i); i += 1) {
    if (a.charCodeAt(i) === slash) end = i + 1;
  }
  return b.slice(0, end);
}
