// docs/decisions/0026-content-index.md
import { type ContentHash, type Viewer, WorkspaceError } from '@stoa/core';
import {
  type AskedToken,
  entriesPageMax,
  type IndexEntry,
  type IndexPart,
  type IndexScope,
  partOf,
  sharedPart,
  type WordIndex,
} from '../ports/word-index.ts';
import { createRecentlyUsed } from '../search/recently-used.ts';

/** An entry's id, negative for a content that is not text. */
type SignedId = number;

/** The entries of one workspace. */
export interface KnownEntries {
  readonly parts: ReadonlyMap<IndexPart, ReadonlyMap<ContentHash, SignedId>>;
  /** Changes when entries are removed. */
  readonly generation: string;
  readonly count: number;
}

/** Finds a content among those that the viewer may see. Null: it is not in the index, and has to be read. */
export type FindIndexed = (hash: ContentHash) => { readonly id: number; readonly isText: boolean } | null;

export interface TextsWanted {
  readonly workspaceId: string;
  readonly viewer: Viewer;
  readonly tokens: readonly AskedToken[];
  /** The ids to ask for a viewer of a part of the workspace: nothing outside it is asked. */
  readonly ids: (find: FindIndexed) => readonly number[];
}

export interface IndexedHolders {
  readonly find: FindIndexed;
  /** For each token the ids of the texts with it; null for a token that needs `among`. */
  readonly holders: readonly (ReadonlySet<number> | null)[];
  /** Asks these texts only, for any tokens, wherever they begin. Null when the index cannot tell. */
  among(
    ids: readonly number[],
    tokens: readonly AskedToken[],
  ): Promise<readonly ReadonlySet<number>[] | null>;
}

/** Cache of the entries of recently searched workspaces: they only name contents, and never change. */
export interface IndexedTexts {
  known(workspaceId: string): Promise<KnownEntries>;
  /** Without a usable index, nothing is found in it. */
  ask(wanted: TextsWanted): Promise<IndexedHolders>;
}

interface Kept extends KnownEntries {
  readonly parts: Map<IndexPart, Map<ContentHash, SignedId>>;
  generation: string;
  last: number;
  count: number;
}

/** Some 60 MB. */
const keptMax = 500_000;
/** A removal between two questions changes the generation. */
const attemptsMax = 3;
const reportEveryMs = 60_000;

export function createIndexedTexts(
  index: WordIndex,
  reportProblem: (message: string, cause: unknown) => void,
): IndexedTexts {
  let reportedAt = Number.NEGATIVE_INFINITY;
  /** A search without the index finds the same, only slower. */
  const report = (error: unknown) => {
    if (error instanceof WorkspaceError && error.code === 'shutting_down') throw error;
    if (performance.now() - reportedAt < reportEveryMs) return;
    reportedAt = performance.now();
    reportProblem('a search could not use the content index, and reads the files', error);
  };
  const kept = createRecentlyUsed<Kept>(keptMax, ({ count }) => count);

  /** Reads the entries that are new. */
  async function refresh(workspaceId: string): Promise<Kept> {
    let entries = kept.get(workspaceId) ?? emptied('');
    for (;;) {
      const page = await index.entries(workspaceId, entries.last);
      if (page.generation !== entries.generation) {
        const isFirst = entries.last === 0;
        entries = emptied(page.generation);
        if (!isFirst) continue;
      }
      take(entries, page.entries);
      if (page.entries.length < entriesPageMax) break;
    }
    kept.set(workspaceId, entries);
    return entries;
  }

  async function ask({ workspaceId, viewer, tokens, ids }: TextsWanted): Promise<IndexedHolders> {
    const { userId, within } = viewer;
    const parts = userId === null ? [sharedPart] : [sharedPart, partOf(userId)];
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const entries = await refresh(workspaceId);
      const { generation, last } = entries;
      const find: FindIndexed = (hash) => {
        for (const part of parts) {
          const id = entries.parts.get(part)?.get(hash);
          // Later ones were added since.
          if (id !== undefined && Math.abs(id) <= last) return { id: Math.abs(id), isText: id > 0 };
        }
        return null;
      };
      const among: IndexedHolders['among'] = async (wanted, asked) => {
        const found = await index.holders(workspaceId, { ids: wanted }, asked).catch(report);
        if (found === undefined || found.generation !== generation) return null;
        return found.ids.map((each) => new Set(each));
      };
      if (tokens.length === 0) return { find, holders: [], among };
      const scope: IndexScope = within === '' ? { parts } : { ids: ids(find) };
      const found = await index.holders(workspaceId, scope, tokens);
      if (found.generation !== generation) continue;
      return { find, holders: found.ids.map((each) => (each === null ? null : new Set(each))), among };
    }
    throw new Error('entries are removed all the time');
  }

  return {
    known: refresh,
    async ask(wanted) {
      try {
        return await ask(wanted);
      } catch (error) {
        report(error);
        return { find: () => null, holders: wanted.tokens.map(() => null), among: async () => null };
      }
    },
  };
}

function emptied(generation: string): Kept {
  return { parts: new Map(), generation, last: 0, count: 0 };
}

function take(entries: Kept, added: readonly IndexEntry[]): void {
  for (const { id, part, contentHash, isText } of added) {
    // Another search has read the same page.
    if (id <= entries.last) continue;
    const ofPart = entries.parts.get(part) ?? new Map<ContentHash, SignedId>();
    entries.parts.set(part, ofPart);
    ofPart.set(contentHash, isText ? id : -id);
    entries.last = id;
    entries.count += 1;
  }
}
