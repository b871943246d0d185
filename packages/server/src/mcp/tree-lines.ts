import { fileNameOf, foldersAbove, placeholderName, type WorkspacePath } from '@stoa/core';

/** A file of a listing. */
export interface TreeFile {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly sizeBytes: number;
}

/** A line of a tree without its indentation, and the folders above it. */
export interface TreeLine {
  readonly text: string;
  /** The first `level` of these. Shared rather than copied, because a tree has a line for each folder of a path. */
  readonly folders: readonly WorkspacePath[];
  readonly level: number;
}

/** Maximum depth of a tree, because the cost of a line grows with its depth. */
export const treeDepthMax = 32;

/**
 * Builds a tree of `depth` levels below `prefix` from files in path order. A deeper folder becomes one line with its
 * number of files.
 */
export function treeBuilder(prefix: string, wantedDepth: number) {
  const depth = Math.min(wantedDepth, treeDepthMax);
  const lines: TreeLine[] = [];
  let opened: readonly string[] = [];
  let closed: { readonly path: string; readonly line: number; count: number } | null = null;
  const skipped = prefix === '' ? 0 : prefix.split('/').length;
  return {
    add({ path, version, sizeBytes }: TreeFile): void {
      const folders = foldersAbove(path).slice(skipped);
      const shown = folders.slice(0, depth - 1);
      const beyond = folders[depth - 1];
      const isPlaceholder = fileNameOf(path) === placeholderName;
      for (const [at, folder] of shown.entries()) {
        if (opened[at] !== folder) lines.push(lineOf(`${fileNameOf(folder)}/`, shown, at));
      }
      opened = shown;
      if (beyond === undefined) {
        if (!isPlaceholder) lines.push(lineOf(`${fileNameOf(path)} v${version} ${sizeBytes}`, shown));
        return;
      }
      if (closed?.path !== beyond) {
        closed = { path: beyond, line: lines.length, count: 0 };
        lines.push(lineOf('', shown));
      }
      if (!isPlaceholder) closed.count += 1;
      const counted = closed.count === 1 ? '1 file' : `${closed.count} files`;
      lines[closed.line] = lineOf(`${fileNameOf(beyond)}/ ${counted}`, shown);
    },
    lines,
  };
}

function lineOf(text: string, folders: readonly WorkspacePath[], level: number = folders.length): TreeLine {
  return { text, folders, level };
}

function shownLine({ text, level }: TreeLine): string {
  return `${'  '.repeat(level)}${text}`;
}

/**
 * A page of a tree. It begins with the folders above its first line.
 * @returns the text, and the end index among the tree's lines
 */
export function treePage(
  lines: readonly TreeLine[],
  offset: number,
  { maxCharacters, maxBytes }: { readonly maxCharacters: number; readonly maxBytes: number },
): { readonly text: readonly string[]; readonly end: number } {
  const first = lines[offset];
  const above = offset === 0 || first === undefined ? [] : first.folders.slice(0, first.level);
  const text = above.map((folder, at) => `${'  '.repeat(at)}${fileNameOf(folder)}/`);
  let characters = text.join('\n').length;
  let bytes = Buffer.byteLength(text.join('\n'));
  let end = offset;
  for (let at = offset; at < lines.length; at += 1) {
    const line = shownLine(lines[at] as TreeLine);
    characters += line.length + 1;
    bytes += Buffer.byteLength(line) + 1;
    if (characters > maxCharacters || bytes > maxBytes) break;
    text.push(line);
    end += 1;
  }
  return { text, end };
}
