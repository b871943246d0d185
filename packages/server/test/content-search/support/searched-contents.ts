import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import { openWorkspace, type WorkspaceAccess } from '../../../src/service/access.ts';
import {
  compareIndex,
  type IndexedState,
  type IndexingDeps,
  repairIndex,
} from '../../../src/service/content-search/index-contents.ts';
import { createIndexedTexts } from '../../../src/service/content-search/indexed-texts.ts';
import {
  type ContentBudget,
  type ContentFound,
  type ContentSearchDeps,
  contentBudget,
  searchContent,
} from '../../../src/service/content-search/search-content.ts';
import { collectBytes } from '../../../src/service/contents/read-whole.ts';
import { deleteFile } from '../../../src/service/files/delete-file.ts';
import { moveFile } from '../../../src/service/files/move-file.ts';
import { readFile } from '../../../src/service/files/read-file.ts';
import { withListing } from '../../../src/service/files/with-listing.ts';
import { writeFile } from '../../../src/service/files/write-file.ts';
import { type FindAsked, type FindOutcome, findFiles } from '../../../src/service/find/find-files.ts';
import { setNodePrivate } from '../../../src/service/nodes/set-node-private.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import type { WordIndex } from '../../../src/service/ports/word-index.ts';
import { scripts } from '../../../src/service/scripts.ts';
import { createCurrentFiles } from '../../../src/service/search/current-files.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { openPostgresStore } from '../../../src/storage/postgres/open-postgres-store.ts';
import { createPostgresWordIndex } from '../../../src/storage/word-index/postgres-word-index.ts';
import { createSqliteWordIndex } from '../../../src/storage/word-index/sqlite-word-index.ts';
import { createWorkers } from '../../../src/workers/create-workers.ts';
import { openService } from '../../support/open-service.ts';
import { addMember, signedIn } from '../../support/signed-in.ts';

/** A generous time limit: the first search starts threads, which takes seconds on a busy machine. */
const unhurried: ContentBudget = { ...contentBudget, milliseconds: 10 * 60_000 };

type SearchedDeps = ContentSearchDeps & IndexingDeps & Parameters<typeof writeFile>[0];

/** A workspace whose contents are searched, over the real store and the real index. */
export interface SearchedContents extends AsyncDisposable {
  readonly deps: SearchedDeps & Parameters<typeof createWorkspace>[0];
  readonly workspaceId: string;
  readonly problems: readonly string[];
  member(name: string): Promise<Searcher>;
  /** The same member with a key that is limited to a folder. */
  within(searcher: Searcher, folder: string): Searcher;
  /** Brings the index up to date, or does so many steps of that. @returns how many contents were added. */
  index(stepsMax?: number): Promise<number>;
  /** Also removes all outdated contents. @returns their number. */
  prune(): Promise<number>;
}

export interface Searcher {
  readonly access: WorkspaceAccess;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  setPrivate(path: string, kind: 'file' | 'folder', isPrivate: boolean): Promise<void>;
  search(text: string, more?: Partial<Asked>, budget?: ContentBudget): Promise<ContentFound>;
  find(query: string, more?: Partial<FindAsked>): Promise<FindOutcome>;
  /** Every file that they may see, with its bytes. */
  readAll(): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface Asked {
  readonly path: string;
  readonly matchCase: boolean;
  readonly context: number;
  readonly limit: number;
  readonly offset: number;
}

/** @param url of a PostgreSQL database; without it everything lies in a folder. */
export async function openSearched(
  url: string | null,
  {
    index = true,
    clock = Date.now,
  }: {
    readonly index?: boolean;
    readonly clock?: () => number;
  } = {},
): Promise<SearchedContents> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-contents-'));
  const problems: string[] = [];
  const reportProblem = (message: string, cause: unknown) => void problems.push(`${message}: ${cause}`);
  const workers = createWorkers({ maxFileBytes: 200_000_000 });
  const service = await openService(folder);
  const plans = { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 200_000_000 };
  const onFatal = (cause: unknown) => {
    throw cause;
  };
  const store: MetadataStore =
    url === null
      ? service.deps.store
      : await openPostgresStore({ url, plans, scripts, onFatal, reportProblem });
  const kept =
    url === null
      ? createSqliteWordIndex(join(folder, 'content-index.db'), workers.wordIndex)
      : createPostgresWordIndex(url, workers.wordIndex.listing);
  const wordIndex = index ? kept : lostIndex(kept);
  const deps = {
    ...service.deps,
    clock,
    store,
    wordIndex,
    contentScanner: workers.contentScanner,
    indexedTexts: createIndexedTexts(wordIndex, reportProblem),
    currentFiles: createCurrentFiles(store),
  };
  const owner = await signedIn(store, 'ann');
  const { id } = await createWorkspace(deps, owner, { name: 'Home', icon: null, color: null });
  let indexed: IndexedState | null = null;
  return {
    deps,
    workspaceId: id,
    problems,
    async member(name) {
      const caller = await signedIn(store, name);
      if (name !== 'ann') await addMember(store, id, name);
      return searcherOf(deps, await openWorkspace(deps, caller, id));
    },
    within: ({ access }, folder) =>
      searcherOf(deps, { ...access, viewer: { ...access.viewer, within: parsePathPrefix(folder) } }),
    async index(stepsMax = Number.POSITIVE_INFINITY) {
      let added = 0;
      for (let steps = 0; ; ) {
        const difference = await compareIndex(deps, id, { since: indexed, atOnce: 3 });
        indexed = null;
        if (difference === null) return added;
        const { missing, outdated, repaired, isMore } = difference;
        const state = outdated.length === 0 ? repaired : null;
        if (missing.length + outdated.length === 0 && !isMore) {
          indexed = state;
          return added;
        }
        for await (const contents of repairIndex(deps, id, difference)) {
          added += contents;
          steps += 1;
          if (steps >= stepsMax) return added;
        }
        indexed = state;
      }
    },
    async prune() {
      const difference = await compareIndex(deps, id, { keptMin: Number.NEGATIVE_INFINITY });
      if (difference === null) return 0;
      for await (const _ of repairIndex(deps, id, difference));
      return difference.outdated.length;
    },
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]();
      await wordIndex[Symbol.asyncDispose]();
      if (url !== null) await store[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** An index that cannot be read. */
function lostIndex(index: WordIndex): WordIndex {
  const fail = async () => {
    throw new Error('the index is lost');
  };
  return { ...index, entries: fail, holders: fail };
}

function searcherOf(deps: SearchedDeps, access: WorkspaceAccess): Searcher {
  const versionOf = async (path: string) => {
    const file = await deps.store.reader.files.find(access.workspace.id, parseWorkspacePath(path));
    return file?.version ?? null;
  };
  return {
    access,
    async write(path, content) {
      const version = await versionOf(path);
      await writeFile(deps, access, {
        path: parseWorkspacePath(path),
        precondition: version === null ? { kind: 'absent' } : { kind: 'version', version, contentHash: null },
        onConflict: 'keep',
        contentType: null,
        body: inOneChunk(content),
        emptyAllowed: true,
      });
    },
    async remove(path) {
      const version = (await versionOf(path)) ?? 1;
      await deleteFile(deps, access, {
        path: parseWorkspacePath(path),
        expected: { version, contentHash: null },
      });
    },
    async move(from, to) {
      await moveFile(deps, access, {
        from: parseWorkspacePath(from),
        to: parseWorkspacePath(to),
        base: null,
      });
    },
    async setPrivate(path, kind, isPrivate) {
      await setNodePrivate(deps, access, { path: parseWorkspacePath(path), kind, private: isPrivate });
    },
    search: (text, more = {}, budget = unhurried) => {
      const asked = { path: '', after: null, matchCase: false, context: 0, limit: 200, offset: 0, ...more };
      return searchContent(deps, access, { text, ...asked }, budget);
    },
    find: (query, more = {}) =>
      findFiles(
        deps,
        access,
        { query, limit: 100, offset: 0, ...more },
        { milliseconds: 600_000, bytes: 1e9 },
      ),
    readAll: () =>
      withListing(deps, access, { prefix: parsePathPrefix('') }, async ({ pages }) => {
        const contents = new Map<string, Uint8Array>();
        for await (const page of pages) {
          for (const { path, sizeBytes } of page) {
            const readable = await readFile(deps, access, { path, opens: 'surely' });
            contents.set(path, await collectBytes(await readable.open(), sizeBytes));
          }
        }
        return contents;
      }),
  };
}

async function* inOneChunk(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
