import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWorkspacePath } from '@stoa/core';
import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import { viewerOf, type WorkspaceAccess } from '../../../src/service/access/workspace-access.ts';
import type { AskAnchoring } from '../../../src/service/comments/anchoring.ts';
import { type Anchors, createAnchors } from '../../../src/service/comments/anchors.ts';
import {
  listThreads,
  type ThreadList,
  type ThreadQuery,
} from '../../../src/service/comments/list-threads.ts';
import {
  type NewThread,
  type StartThreadOutcome,
  startThread,
} from '../../../src/service/comments/start-thread.ts';
import { writeFile } from '../../../src/service/files/write-file.ts';
import type { ServiceDeps } from '../../../src/service/service-deps.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { openDiskBlobStore } from '../../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { createWorkers } from '../../../src/workers/create-workers.ts';

const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 200_000_000 };
const noon = Date.UTC(2026, 10, 20, 12);

/** A workspace of one person, on the real store and the real use cases. */
export interface CommentedWorkspace extends AsyncDisposable {
  readonly deps: ServiceDeps & { readonly anchors: Anchors };
  readonly access: WorkspaceAccess;
  readonly dataDir: string;
  /** Replaces what is there. @returns the version. */
  write(path: string, text: string): Promise<number>;
  start(path: string, thread?: Partial<NewThread>): Promise<StartThreadOutcome>;
  list(query?: Partial<ThreadQuery>): Promise<ThreadList>;
}

/** @param askOf makes the anchoring from the real one, where a test wants to come between. */
export async function openCommentedWorkspace(
  askOf: (real: AskAnchoring) => AskAnchoring = (real) => real,
): Promise<CommentedWorkspace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-comments-'));
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
  const workers = createWorkers();
  const deps = {
    store,
    blobs,
    plans,
    clock: () => noon,
    ids: (prefix: string) => `${prefix}_${randomUUID()}`,
    seedWorkspaces: false,
    anchors: createAnchors(askOf(workers.askAnchoring)),
  };
  const actor = { principal: 'human', userId: 'ann', keyId: null, keyLabel: null, userName: 'Ann' } as const;
  const { id } = await createWorkspace(deps, { actor }, { name: 'Commented', icon: null, color: null });
  const workspace = await store.reader.workspaces.find(id);
  if (workspace === null) throw new Error('no such workspace');
  const access: WorkspaceAccess = { workspace, role: 'owner', actor, viewer: viewerOf({ actor }) };
  return {
    deps,
    access,
    dataDir,
    async write(path, text) {
      const at = parseWorkspacePath(path);
      const current = await store.reader.files.find(id, at);
      const outcome = await writeFile(deps, access, {
        path: at,
        precondition: current === null ? { kind: 'absent' } : { kind: 'version', version: current.version },
        contentType: null,
        body: bytesOf(text),
        emptyAllowed: true,
      });
      if (outcome.kind !== 'created' && outcome.kind !== 'updated') throw new Error(outcome.kind);
      return outcome.version;
    },
    start: (path, thread = {}) =>
      startThread(deps, access, {
        path: parseWorkspacePath(path),
        body: 'Why?',
        kind: 'range',
        baseVersion: null,
        ...thread,
      }),
    list: (query = {}) => listThreads(deps, access, { ...anyThread, ...query }),
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

const anyThread: ThreadQuery = {
  path: null,
  threadId: null,
  status: null,
  anchorStatus: null,
  authorId: null,
  limit: 50,
  offset: 0,
  entriesLimit: 20,
  entriesOffset: 0,
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
