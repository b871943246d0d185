import { parseWorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../../src/service/access.ts';
import type { AskAnchoring } from '../../../src/service/comments/anchoring.ts';
import { createAnchors } from '../../../src/service/comments/anchors.ts';
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
import { createWorkers } from '../../../src/workers/create-workers.ts';
import { bytesOf, type OpenedService, openService, personNamed } from '../../support/open-service.ts';

/** A workspace of one person, on the real store and the real use cases. */
export interface CommentedWorkspace extends AsyncDisposable {
  readonly deps: OpenedService['deps'] & Pick<ServiceDeps, 'anchors'>;
  readonly access: WorkspaceAccess;
  readonly dataDir: string;
  /** Replaces the content. @returns the version. */
  write(path: string, text: string): Promise<number>;
  start(path: string, thread?: Partial<NewThread>): Promise<StartThreadOutcome>;
  list(query?: Partial<ThreadQuery>): Promise<ThreadList>;
}

/** @param askOf wraps the real anchoring, for tests that intercept it. */
export async function openCommentedWorkspace(
  askOf: (real: AskAnchoring) => AskAnchoring = (real) => real,
): Promise<CommentedWorkspace> {
  const service = await openService();
  const workers = createWorkers(service.deps.plans);
  const deps = { ...service.deps, anchors: createAnchors(askOf(workers.askAnchoring)) };
  const access = await service.openWorkspace(personNamed('Ann', 'ann'));
  return {
    deps,
    access,
    dataDir: service.dataDir,
    async write(path, text) {
      const at = parseWorkspacePath(path);
      const current = await deps.store.reader.files.find(access.workspace.id, at);
      const outcome = await writeFile(deps, access, {
        path: at,
        precondition:
          current === null
            ? { kind: 'absent' }
            : { kind: 'version', version: current.version, contentHash: null },
        onConflict: 'keep',
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
      await service[Symbol.asyncDispose]();
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
