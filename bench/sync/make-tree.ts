import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const filesPerFolder = 20;
const line = 'the quick brown fox jumps over the lazy dog and comes back\n';

/** A folder full of different text files, old enough that a sync need not wait for their writers. */
export interface Tree {
  readonly folder: string;
  readonly paths: readonly string[];
}

export async function makeTree(folder: string, files: number, bytes: number): Promise<Tree> {
  const paths = Array.from({ length: files }, (_, number) => treePath(number));
  const folders = new Set(paths.map((path) => join(folder, dirname(path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (const [number, path] of paths.entries()) await writeFile(join(folder, path), textOf(number, bytes));
  await age([...paths.map((path) => join(folder, path)), ...folders, folder]);
  return { folder, paths };
}

/** Sets the time of files to an hour ago, so that they do not count as being written. */
export async function age(files: readonly string[]): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  for (const file of files) await utimes(file, then, then);
}

export function textOf(number: number, bytes: number): string {
  return `# Note ${number}\n\n${line.repeat(Math.ceil(bytes / line.length))}`.slice(0, bytes);
}

function treePath(number: number): string {
  const folder = String(Math.floor(number / filesPerFolder)).padStart(5, '0');
  return `area ${folder.slice(0, 3)}/folder ${folder}/note ${number}.md`;
}
