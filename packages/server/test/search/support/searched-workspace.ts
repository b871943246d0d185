import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWorkspacePath, type SearchOutcome } from '@stoa/core';
import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import { viewerOf, type WorkspaceAccess } from '../../../src/service/access/workspace-access.ts';
import { deleteFile } from '../../../src/service/files/delete-file.ts';
import { moveFile } from '../../../src/service/files/move-file.ts';
import { writeFile } from '../../../src/service/files/write-file.ts';
import { setNodePrivate } from '../../../src/service/nodes/set-node-private.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createPathIndexes, type PathIndexes } from '../../../src/service/search/path-index-cache.ts';
import { searchFiles } from '../../../src/service/search/search-files.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { openDiskBlobStore } from '../../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';

const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 100_000_000 };
const noon = Date.UTC(2026, 10, 20, 12);

/** What one process does with the workspaces of a data directory. */
export interface Process extends AsyncDisposable {
  readonly store: MetadataStore;
  createWorkspace(): Promise<string>;
  member(userId: string, workspaceId: string): Promise<Member>;
}

export interface Member {
  write(...paths: readonly string[]): Promise<void>;
  /** Writes as somebody who does not know of the file. */
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

/** The real store and the real use cases. `indexesOf` makes the path indexes, where a test wants others. */
export async function openProcess(
  dataDir: string,
  indexesOf: (store: MetadataStore) => PathIndexes = createPathIndexes,
): Promise<Process> {
  const onFatal = (cause: unknown) => {
    throw cause;
  };
  const store = await openSqliteStore({
    file: join(dataDir, 'stoa.db'),
    plans,
    writerUrl: new URL('../../../src/workers/writer-worker.ts', import.meta.url),
    onFatal,
  });
  const blobs = await openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal });
  const deps = {
    store,
    blobs,
    plans,
    clock: () => noon,
    ids: (prefix: string) => `${prefix}_${randomUUID()}`,
    seedWorkspaces: false,
    pathIndexes: indexesOf(store),
  };
  return {
    store,
    async createWorkspace() {
      const fields = { name: 'Searched', icon: null, color: null };
      return (await createWorkspace(deps, { actor: actorOf('ann') }, fields)).id;
    },
    async member(userId, workspaceId) {
      const workspace = await store.reader.workspaces.find(workspaceId);
      if (workspace === null) throw new Error('no such workspace');
      const actor = actorOf(userId);
      return memberOf(deps, { workspace, role: 'member', actor, viewer: viewerOf({ actor }) });
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function actorOf(userId: string): WorkspaceAccess['actor'] {
  return { principal: 'human', userId, keyId: null, keyLabel: null, userName: userId };
}

type SearchDeps = Parameters<typeof writeFile>[0] & { readonly pathIndexes: PathIndexes };

function memberOf(deps: SearchDeps, access: WorkspaceAccess): Member {
  const search = (query: string, limit = 200) => searchFiles(deps, access, { query, limit });
  const writeBlindly = async (path: string, text: string) => {
    await writeFile(deps, access, {
      path: parseWorkspacePath(path),
      precondition: { kind: 'absent' },
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
      const move = { from: parseWorkspacePath(from), to: parseWorkspacePath(to), baseVersion: null };
      await moveFile(deps, access, move);
    },
    async remove(path) {
      await deleteFile(deps, access, { path: parseWorkspacePath(path), expectedVersion: 1 });
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

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
