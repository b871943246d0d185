import { fileNameOf, foldersAbove, placeholderName, type WorkspacePath } from '@stoa/core';

/** A file as a listing has it. */
export interface TreeFile {
  readonly path: WorkspacePath;
  readonly version: number;
  readonly sizeBytes: number;
}

/** A line of a tree, and the folders that it stands below. */
export interface TreeLine {
  readonly text: string;
  readonly above: readonly string[];
}

/**
 * Files that come by path, as a tree of `depth` levels below `prefix`: a folder beyond them is one line with the number of its
 * files.
 */
export function treeBuilder(prefix: string, depth: number) {
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
        if (opened[at] !== folder) lines.push(lineOf(`${fileNameOf(folder)}/`, shown.slice(0, at)));
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

function lineOf(text: string, above: readonly string[]): TreeLine {
  return { text: `${'  '.repeat(above.length)}${text}`, above: above.map((folder) => fileNameOf(folder)) };
}

/**
 * A page of a tree. It begins with the folders that its first line stands below, so that no line hangs in the air.
 * @returns the text, and how many lines of the tree it reaches.
 */
export function treePage(
  lines: readonly TreeLine[],
  offset: number,
  { maxCharacters, maxBytes }: { readonly maxCharacters: number; readonly maxBytes: number },
): { readonly text: readonly string[]; readonly end: number } {
  const text =
    offset === 0 ? [] : (lines[offset]?.above ?? []).map((folder, at) => `${'  '.repeat(at)}${folder}/`);
  let characters = text.join('\n').length;
  let bytes = Buffer.byteLength(text.join('\n'));
  let end = offset;
  for (const { text: line } of lines.slice(offset)) {
    characters += line.length + 1;
    bytes += Buffer.byteLength(line) + 1;
    if (characters > maxCharacters || bytes > maxBytes) break;
    text.push(line);
    end += 1;
  }
  return { text, end };
}
