import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWorkspacePath, type SearchOutcome } from '@stoa/core';
import type { WorkspaceAccess } from '../../../src/service/access.ts';
import { deleteFile } from '../../../src/service/files/delete-file.ts';
import { moveFile } from '../../../src/service/files/move-file.ts';
import { writeFile } from '../../../src/service/files/write-file.ts';
import { setNodePrivate } from '../../../src/service/nodes/set-node-private.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { type CurrentFiles, createCurrentFiles } from '../../../src/service/search/current-files.ts';
import { searchFiles } from '../../../src/service/search/search-files.ts';
import { bytesOf, openFor, openService, personNamed } from '../../support/open-service.ts';

/** The operations of one process on the workspaces of a data directory. */
export interface Process extends AsyncDisposable {
  readonly store: MetadataStore;
  createWorkspace(): Promise<string>;
  member(userId: string, workspaceId: string): Promise<Member>;
}

export interface Member {
  write(...paths: readonly string[]): Promise<void>;
  /** Writes as a user who does not know of the file. */
  writeBlindly(path: string, text: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  setPrivate(path: string, kind: 'file' | 'folder', isPrivate?: boolean): Promise<void>;
  search(query: string, limit?: number): Promise<SearchOutcome>;
  /** The paths found, best first; a folder's with a slash behind it. */
  find(query: string): Promise<string[]>;
}

export async function makeDataDir(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'stoa-search-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** The real store and the real use cases. `listsOf` makes the cache of file lists, where a test wants another. */
export async function openProcess(
  dataDir: string,
  listsOf: (store: MetadataStore) => CurrentFiles = createCurrentFiles,
): Promise<Process> {
  const service = await openService(dataDir);
  const { store } = service.deps;
  const deps = { ...service.deps, currentFiles: listsOf(store) };
  return {
    store,
    createWorkspace: async () => (await service.openWorkspace(personNamed('ann'))).workspace.id,
    member: async (userId, workspaceId) =>
      memberOf(deps, await openFor(deps, personNamed(userId), workspaceId, 'member')),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

type SearchDeps = Parameters<typeof writeFile>[0] & { readonly currentFiles: CurrentFiles };

function memberOf(deps: SearchDeps, access: WorkspaceAccess): Member {
  const search = (query: string, limit = 200) => searchFiles(deps, access, { query, limit });
  const writeBlindly = async (path: string, text: string) => {
    await writeFile(deps, access, {
      path: parseWorkspacePath(path),
      precondition: { kind: 'absent' },
      onConflict: 'keep',
      contentType: null,
      body: bytesOf(text),
      emptyAllowed: true,
    });
  };
  return {
    search,
    writeBlindly,
    async write(...paths) {
      await Promise.all(paths.map((path) => writeBlindly(path, path)));
    },
    async move(from, to) {
      const move = { from: parseWorkspacePath(from), to: parseWorkspacePath(to), base: null };
      await moveFile(deps, access, move);
    },
    async remove(path) {
      await deleteFile(deps, access, {
        path: parseWorkspacePath(path),
        expected: { version: 1, contentHash: null },
      });
    },
    async setPrivate(path, kind, isPrivate = true) {
      await setNodePrivate(deps, access, { path: parseWorkspacePath(path), kind, private: isPrivate });
    },
    async find(query) {
      const { results } = await search(query);
      return results.map(({ path, isDir }) => (isDir ? `${path}/` : path));
    },
  };
}
