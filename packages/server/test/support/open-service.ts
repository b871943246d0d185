import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@stoa/core';
import { threadOf } from '../../../../tests/support/thread-of.ts';
import { unlimitedPlan } from '../../src/config/plans-file.ts';
import { openWorkspace, type WorkspaceAccess } from '../../src/service/access.ts';
import { contentFrontMatterOf } from '../../src/service/front-matter/front-matter-reader.ts';
import { parseFrontMatter } from '../../src/service/front-matter/parse-front-matter.ts';
import type { ServiceDeps } from '../../src/service/service-deps.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { addMember, signedIn } from './signed-in.ts';

/** A fixed minute, so that no test straddles two windows of a limit. */
export const startOfTime = Date.UTC(2026, 10, 20, 14, 30, 0);

const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 200_000_000 };

type OpenedDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'frontMatter' | 'plans' | 'clock' | 'ids' | 'seedWorkspaces'
>;

/** The dependencies of most use cases, over a real store, with a clock that moves only on request. */
export interface OpenedService extends AsyncDisposable {
  readonly deps: OpenedDeps;
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
    // The server's scripts, and those of the tests.
    writerUrl: threadOf(new URL('./test-writer.ts', import.meta.url)),
    onFatal,
  });
  const blobs = await openDiskBlobStore({ directory: join(dataDir, 'blobs'), onFatal });
  let now = startOfTime;
  const deps: OpenedDeps = {
    store,
    blobs,
    frontMatter: contentFrontMatterOf({
      ask: async (block) => ({ kind: 'answered', result: parseFrontMatter(block) }),
    }),
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
      const caller = await signedIn(store, owner.userId, owner.userName);
      const { id } = await createWorkspace(deps, caller, fields);
      return await openWorkspace(deps, caller, id);
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      if (folder === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

/** Opens the workspace for a user, who becomes a member first if needed. */
export async function openFor(
  deps: Pick<ServiceDeps, 'store'>,
  { userId, userName }: Actor,
  workspaceId: string,
  role: WorkspaceAccess['role'],
): Promise<WorkspaceAccess> {
  const caller = await signedIn(deps.store, userId, userName);
  await addMember(deps.store, workspaceId, userId, role);
  return await openWorkspace(deps, caller, workspaceId);
}

/** A signed-in user, not a key. */
export function personNamed(userName: string, userId = userName): Actor {
  return { principal: 'human', userId, keyId: null, keyLabel: null, userName };
}

/** A text as an upload brings it. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
