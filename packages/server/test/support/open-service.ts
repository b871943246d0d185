import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@stoa/core';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { viewerOf, type WorkspaceAccess } from '../../src/service/access/workspace-access.ts';
import type { ServiceDeps } from '../../src/service/service-deps.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';

/** A fixed minute, so that no test straddles two windows of a limit. */
export const startOfTime = Date.UTC(2026, 10, 20, 14, 30, 0);

const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 200_000_000 };

/** What the use cases need, over a real store, with a clock that stands still until it is moved. */
export interface OpenedService extends AsyncDisposable {
  readonly deps: ServiceDeps;
  readonly dataDir: string;
  advance(milliseconds: number): void;
  /** A new workspace of this person, opened for them. */
  openWorkspace(owner: Actor): Promise<WorkspaceAccess>;
}

/** @param folder one to open, as another process does; by default a new one, which goes with the service. */
export async function openService(folder?: string): Promise<OpenedService> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'stoa-service-')));
  const onFatal = (cause: unknown) => {
    throw cause;
  };
  const store = await openSqliteStore({
    file: join(dataDir, 'stoa.db'),
    plans,
    // The server's scripts, and those of the tests beside them.
    writerUrl: new URL('./test-writer.ts', import.meta.url),
    onFatal,
  });
  const blobs = await openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal });
  let now = startOfTime;
  const deps: ServiceDeps = {
    store,
    blobs,
    plans,
    clock: () => now,
    ids: (prefix) => `${prefix}_${randomUUID()}`,
    seedWorkspaces: false,
  };
  return {
    deps,
    dataDir,
    advance(milliseconds) {
      now += milliseconds;
    },
    async openWorkspace(owner) {
      const fields = { name: 'Home', icon: null, color: null };
      const { id } = await createWorkspace(deps, { actor: owner }, fields);
      return await openFor(deps, owner, id, 'owner');
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      if (folder === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

/** Without asking whether the person is a member: there need be no account. */
export async function openFor(
  { store }: Pick<ServiceDeps, 'store'>,
  actor: Actor,
  workspaceId: string,
  role: WorkspaceAccess['role'],
): Promise<WorkspaceAccess> {
  const workspace = await store.reader.workspaces.find(workspaceId);
  if (workspace === null) throw new Error('no such workspace');
  return { workspace, role, actor, viewer: viewerOf({ actor }) };
}

/** Somebody who is signed in, not a key. */
export function personNamed(userName: string, userId = userName): Actor {
  return { principal: 'human', userId, keyId: null, keyLabel: null, userName };
}

/** A text as an upload brings it. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
