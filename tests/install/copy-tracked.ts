import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const repository = join(import.meta.dirname, '../..');

/** Copies the content of a fresh clone into a folder: the tracked files in their current state. */
export async function copyTracked(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024,
  });
  const tracked = new Set(stdout.split('\0'));
  const above = new Set([...tracked].flatMap((file) => foldersAbove(file)));
  await cp(repository, folder, {
    recursive: true,
    filter: (source) => {
      const path = source.slice(repository.length + 1);
      return path === '' || tracked.has(path) || above.has(path);
    },
  });
}

function foldersAbove(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
