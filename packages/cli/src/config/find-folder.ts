import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hiddenFolderName } from '@stoa/core';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import { configFileName } from './folder-config.ts';

/** The linked folder that contains a path, with symlinks resolved; null without one. */
export async function findLinkedFolder(location: string): Promise<string | null> {
  let folder = await realpath(location).catch(() => resolve(location));
  for (;;) {
    if (await isLinked(folder)) return folder;
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

/** Whether a folder itself is linked, even if its configuration is invalid. */
export async function isLinked(folder: string): Promise<boolean> {
  return await lstat(join(folder, hiddenFolderName, configFileName)).then(
    () => true,
    () => false,
  );
}

/** The linked folder of a command: the named folder, else the current one. @throws Failure `no_folder` */
export async function requireLinkedFolder(cwd: string, named: string | undefined): Promise<string> {
  const location = resolve(cwd, named ?? '.');
  const folder = await findLinkedFolder(location);
  if (folder !== null) return folder;
  throw new Failure({
    code: 'no_folder',
    exit: exitCodes.noFolder,
    message: `${location} is not in a linked folder.`,
    next: 'Link one with `stoa link <server> [dir]`, or name it with -C <dir>.',
  });
}
