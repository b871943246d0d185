import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hiddenFolderName } from '@stoa/core';

/** What only a person may want back: never removed without being asked for. */
const keptForPeople = new Set(['ignore', 'trash', 'rescued']);

/**
 * Removes what makes a folder a linked one. The files of its person stay, and without `purge` what was replaced or
 * rescued stays too.
 * @returns the names of what stayed in the hidden folder.
 */
export async function unlinkFolder(
  folder: string,
  { purge }: { readonly purge: boolean },
): Promise<readonly string[]> {
  const hidden = join(folder, hiddenFolderName);
  // Through a symbolic link, files of somebody else would be removed.
  if (!(await lstat(hidden)).isDirectory()) return [];
  const names = await readdir(hidden);
  // The configuration last: as long as it is there, the command can be given again.
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

async function isEmpty(place: string): Promise<boolean> {
  const found = await lstat(place);
  return found.isDirectory() ? (await readdir(place)).length === 0 : found.size === 0;
}
