import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hiddenFolderName } from '@stoa/core';

/** Entries that the user may want back. They are only removed on request. */
const keptForPeople = new Set(['ignore', 'trash', 'rescued']);

/**
 * Removes the link of a folder. The user's files stay, and without `purge` also replaced and rescued ones.
 * @returns the names left in the hidden folder
 */
export async function unlinkFolder(
  folder: string,
  { purge }: { readonly purge: boolean },
): Promise<readonly string[]> {
  const hidden = join(folder, hiddenFolderName);
  // Following a symlink would remove files elsewhere.
  if (!(await lstat(hidden)).isDirectory()) return [];
  const names = await readdir(hidden);
  // The configuration goes last. While it exists, the command can be repeated.
  const order = names.toSorted(
    (one, other) => Number(one === 'config.json') - Number(other === 'config.json'),
  );
  const kept: string[] = [];
  for (const name of order) {
    if (keptForPeople.has(name) && !purge && !(await isEmpty(join(hidden, name)))) kept.push(name);
    else if (name !== '.gitignore') await rm(join(hidden, name), { recursive: true, force: true });
  }
  if (kept.length === 0) {
    await rm(join(hidden, '.gitignore'), { force: true });
    await rmdir(hidden).catch(() => {});
  }
  return kept;
}

async function isEmpty(location: string): Promise<boolean> {
  const found = await lstat(location);
  return found.isDirectory() ? (await readdir(location)).length === 0 : found.size === 0;
}
