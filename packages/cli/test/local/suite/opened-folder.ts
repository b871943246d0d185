import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ContentHash } from '@stoa/core';
import type { LocalFolder, PresumedFile } from '../../../src/engine/ports/local-folder.ts';

/** Operations of the user and of other programs on the same disk. Paths are relative to the folder. */
export interface TestDisk {
  write(path: string, text: string): Promise<void>;
  /** Returns null if there is no file. */
  read(path: string): Promise<string | null>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  makeSymlink(path: string, to: string): Promise<void>;
  /** Returns all files sorted, including trash, rescued and staging files in `.stoa`. */
  listAll(): Promise<string[]>;
}

export interface OpenedFolder extends AsyncDisposable {
  readonly local: LocalFolder;
  readonly disk: TestDisk;
  /** Runs `act` once, just before the step. */
  beforeStep(name: string, act: () => Promise<void>): void;
}

export interface FolderSuiteOptions {
  readonly hasHardLinks: boolean;
}

/** Context of each part of the suite. `open` returns an empty linked folder. */
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
