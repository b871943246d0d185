import { access, constants, mkdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findLinkedFolder, isLinked } from '../config/find-folder.ts';
import { codeOf, type FolderConfig, readFolderConfig } from '../config/folder-config.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { type FolderContents, surveyFolder } from './survey-folder.ts';

/** A folder that can be linked. */
export interface PreparedFolder {
  /** With symlinks resolved. */
  readonly folder: string;
  /** Set if the folder is already linked. */
  readonly config: FolderConfig | null;
  readonly contents: FolderContents;
  /** Removes the folders made for the link, if it fails. */
  undo(): Promise<void>;
}

/** Makes the folder if it is missing, and rejects folders that are unsafe to link. @throws Failure: usage errors */
export async function prepareFolder(
  { cwd, home }: Pick<Host, 'cwd' | 'home'>,
  named: string | undefined,
): Promise<PreparedFolder> {
  const location = resolve(cwd, named ?? '.');
  const made = await makeFolder(location);
  const undo = async () => {
    if (made === null) return;
    // Folders that are no longer empty stay.
    for (let at = location; at.length >= made.length; at = dirname(at)) await rmdir(at).catch(() => {});
  };
  try {
    const folder = await realpath(location);
    if (dirname(folder) === folder || folder === (await realpath(home).catch(() => home))) {
      throw rejected(
        `${folder} holds everything you have: that is more than a workspace is for.`,
        'Make a folder in it: `stoa link <server> Notes`.',
      );
    }
    const config = (await isLinked(folder)) ? await readFolderConfig(folder) : null;
    const outer = await findLinkedFolder(dirname(folder));
    if (outer !== null) {
      throw rejected(`${folder} lies in ${outer}, which is linked already.`, 'Choose a folder next to it.');
    }
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
      throw rejected(
        `Files cannot be written in ${folder} (${codeOf(error)}).`,
        'Choose a folder of your own.',
      );
    });
    const contents = await surveyFolder(folder);
    if (contents.linkedBelow !== null) {
      throw rejected(
        `${join(folder, contents.linkedBelow)} is linked already, and lies in ${folder}.`,
        'Choose a folder next to it.',
      );
    }
    return { folder, config, contents, undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

const namesMax = 1000;

/** A free folder name here, derived from the name of a workspace: `Notes`, `Notes 2`. */
export async function freeFolderName(cwd: string, workspaceName: string): Promise<string> {
  const name =
    workspaceName
      .normalize('NFC')
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(/^[ .]+|[ .]+$/g, '')
      .slice(0, 80) || 'Stoa';
  for (let n = 1; n <= namesMax; n += 1) {
    const folder = resolve(cwd, n === 1 ? name : `${name} ${n}`);
    if (!(await stat(folder).catch(() => null))) return folder;
  }
  throw rejected(`There are more than ${namesMax} folders called ${name}.`, 'Name another one.');
}

/** @returns the outermost folder that was made; null if it existed */
async function makeFolder(location: string): Promise<string | null> {
  try {
    const made = await mkdir(location, { recursive: true });
    if (made === undefined && !(await stat(location)).isDirectory())
      throw rejected(`${location} is not a folder.`, 'Choose another name.');
    return made ?? null;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = codeOf(error);
    throw rejected(
      `${location} cannot be made (${code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in the way' : code}).`,
      'Choose another folder.',
    );
  }
}

function rejected(message: string, next: string): Failure {
  return new Failure({ code: 'folder_refused', exit: exitCodes.usage, message, next });
}
