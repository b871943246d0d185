import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ContentHash } from '@stoa/core';
import type { LocalFolder, PresumedFile } from '../../../src/engine/ports/local-folder.ts';

/** What the folder's user, and other programs, do on the same disk. Paths are relative to the folder. */
export interface TestDisk {
  write(path: string, text: string): Promise<void>;
  /** Null where no file is. */
  read(path: string): Promise<string | null>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  makeSymlink(path: string, to: string): Promise<void>;
  /** All files, the hidden folder's trash, rescued and staging among them, sorted. */
  listAll(): Promise<string[]>;
}

export interface OpenedFolder extends AsyncDisposable {
  readonly local: LocalFolder;
  readonly disk: TestDisk;
  /** What happens just before the step is taken, once. */
  beforeStep(name: string, act: () => Promise<void>): void;
}

export interface FolderSuiteOptions {
  readonly hasHardLinks: boolean;
}

/** What each part of the suite is given: `open` gives an empty folder that is linked. */
export interface SuiteContext extends FolderSuiteOptions {
  readonly open: () => Promise<OpenedFolder>;
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex') as ContentHash;
export const bytesOf = (text: string) => new TextEncoder().encode(text);

export const lookAt = async (local: LocalFolder, path: string) =>
  local.readEntry(path, await local.readDiskTime());
export const fileAt = async (local: LocalFolder, path: string) => {
  const found = await lookAt(local, path);
  assert(found.kind === 'file', `${path} is ${found.kind}`);
  return found;
};
export const presume = async ({ local, disk }: OpenedFolder, path: string): Promise<PresumedFile> => {
  const { stamp } = await fileAt(local, path);
  return { stamp, hash: hashOf((await disk.read(path)) ?? '') };
};
export const stage = async (local: LocalFolder, id: string, text: string) => {
  const staged = await local.stageBytes(id, bytesOf(text));
  assert.equal(staged.kind, 'staged');
};
export const visible = async (disk: TestDisk) =>
  (await disk.listAll()).filter((path) => !path.startsWith('.stoa/'));
export const inTrash = async ({ disk }: OpenedFolder) => {
  const files = (await disk.listAll()).filter((path) => path.startsWith('.stoa/trash/'));
  return Promise.all(files.map((file) => disk.read(file)));
};
export const leftInStaging = async ({ local }: OpenedFolder) => local.listStaged();
