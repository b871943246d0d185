import { lstat, opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hiddenFolderName } from '@stoa/core';
import { isLinked } from '../config/find-folder.ts';

/** Summary of a folder before it is linked, for the user. */
export interface FolderContents {
  readonly files: number;
  readonly bytes: number;
  /** The largest files, largest first. */
  readonly largest: readonly { readonly path: string; readonly bytes: number }[];
  /** The count stopped at the limit. */
  readonly isMore: boolean;
  /** A linked folder inside it, as a relative path. */
  readonly linkedBelow: string | null;
}

/** A larger number is of no use to the user and not worth the disk reads. */
const entriesMax = 300_000;
const largestShown = 10;
/** Never sent, and often larger than everything else. */
const passedOver = new Set(['.git', 'node_modules', hiddenFolderName]);

export async function surveyFolder(root: string): Promise<FolderContents> {
  let files = 0;
  let bytes = 0;
  let entries = 0;
  let linkedBelow: string | null = null;
  const largest: { path: string; bytes: number }[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && entries < entriesMax; folder = folders.pop()) {
    if (folder !== root && (await isLinked(folder))) {
      linkedBelow ??= relative(root, folder);
      continue;
    }
    const directory = await opendir(folder).catch(() => null);
    if (directory === null) continue;
    for await (const entry of directory) {
      entries += 1;
      if (passedOver.has(entry.name)) continue;
      const location = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(location);
      if (!entry.isFile()) continue;
      const size = await lstat(location).then(
        (facts) => facts.size,
        () => 0,
      );
      files += 1;
      bytes += size;
      const smallest = largest.at(-1);
      if (largest.length < largestShown || (smallest !== undefined && size > smallest.bytes)) {
        largest.push({ path: relative(root, location).split(sep).join('/'), bytes: size });
        largest.sort((one, other) => other.bytes - one.bytes);
        largest.length = Math.min(largest.length, largestShown);
      }
    }
  }
  return { files, bytes, largest, isMore: entries >= entriesMax, linkedBelow };
}
