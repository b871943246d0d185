// docs/decisions/0026-content-index.md
import { setImmediate as nextTick } from 'node:timers/promises';
import { compareByCodePoint, type WorkspacePath } from '@stoa/core';
import type { ChangedContent, CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';

type FileReads = Pick<Reader, 'workspaces' | 'files'>;
type Workspace = Pick<WorkspaceRow, 'id' | 'seq' | 'usedFiles'>;

/** Cache of the file lists of recently searched workspaces, shared by all their members: private files are included. */
export interface CurrentContents {
  /**
   * Yields the files of the snapshot behind `reader` by path, page by page, and lets other requests run between two
   * pages. Callers may stop early: only a list that was read from beginning to end is cached.
   */
  pages(reader: FileReads, workspaceId: string, from: PagesWanted): AsyncGenerator<readonly CurrentContent[]>;
}

export interface PagesWanted {
  /** Null: from the first. */
  readonly afterPath: WorkspacePath | null;
  readonly rows: number;
}

/** The list as of the change at `seq`. Immutable: searches of several snapshots share it. */
interface Kept {
  readonly seq: number;
  /** Time of that change: distinguishes it from another change with the same seq after a database restore. */
  readonly changedAt: number;
  readonly files: readonly CurrentContent[];
}

/** Some 25 MB. */
const filesMax = 100_000;
/** With more changes than this, all files are read again. */
const changesMax = 1000;
/** Changes that are applied in one tick. */
const changesAtOnce = 250;

export function createCurrentContents(limits: { readonly filesMax: number } = { filesMax }): CurrentContents {
  /** Least recently used first. */
  const kept = new Map<string, Kept>();

  function keep(workspaceId: string, made: Kept): void {
    kept.delete(workspaceId);
    kept.set(workspaceId, made);
    let count = 0;
    for (const list of kept.values()) count += roomOf(list);
    for (const [oldest, list] of kept) {
      if (count <= limits.filesMax) return;
      kept.delete(oldest);
      count -= roomOf(list);
    }
  }

  async function current(reader: FileReads, workspace: Workspace): Promise<readonly CurrentContent[] | null> {
    const known = kept.get(workspace.id);
    const followed = known === undefined ? null : await follow(reader, workspace, known);
    if (followed === null) return null;
    keep(workspace.id, followed);
    return followed.files;
  }

  async function* read(
    reader: FileReads,
    workspace: Workspace,
    { afterPath, rows }: PagesWanted,
  ): AsyncGenerator<readonly CurrentContent[]> {
    const all: CurrentContent[] | null =
      afterPath === null && workspace.usedFiles < limits.filesMax ? [] : null;
    for (let after = afterPath; ; ) {
      const query = { workspaceId: workspace.id, afterPath: after, limit: rows };
      const page: readonly CurrentContent[] = await reader.files.contentsPage(query);
      all?.push(...page);
      yield page;
      if (page.length < rows) break;
      after = page.at(-1)?.path ?? null;
      await nextTick();
    }
    if (all === null) return;
    const [last] = await changesFrom(reader, workspace.id, workspace.seq, 1);
    if (last !== undefined) keep(workspace.id, { seq: last.seq, changedAt: last.changedAt, files: all });
  }

  return {
    async *pages(reader, workspaceId, wanted) {
      const workspace = await reader.workspaces.find(workspaceId);
      if (workspace === null) return;
      const all = await current(reader, workspace);
      if (all === null) {
        yield* read(reader, workspace, wanted);
        return;
      }
      const { afterPath, rows } = wanted;
      let at = afterPath === null ? 0 : locationOf(all, afterPath);
      if (afterPath !== null && all[at]?.path === afterPath) at += 1;
      for (; at < all.length; at += rows) {
        yield all.slice(at, at + rows);
        await nextTick();
      }
    },
  };
}

/** Each list counts as one more, so that the number of lists without files is bounded. */
function roomOf({ files }: Kept): number {
  return files.length + 1;
}

/** The change at a position of the feed, and those after it. */
function changesFrom(
  { files }: FileReads,
  workspaceId: string,
  seq: number,
  limit: number,
): Promise<readonly ChangedContent[]> {
  return files.contentsChangedSince({ workspaceId, sinceSeq: seq - 1, limit });
}

/** @returns null when reading all files is cheaper, or when the database was restored to an earlier state. */
async function follow(reader: FileReads, workspace: Workspace, known: Kept): Promise<Kept | null> {
  const behind = workspace.seq - known.seq;
  if (behind < 0 || behind > changesMax) return null;
  let { seq, changedAt } = known;
  const changed = new Map<WorkspacePath, CurrentContent | null>();
  // Starts with the change of the cached list: if that is missing or different, the database was restored.
  for (let isFirst = true; isFirst || seq < workspace.seq; isFirst = false) {
    const page = await changesFrom(reader, workspace.id, isFirst ? seq : seq + 1, changesAtOnce);
    const [first] = page;
    if (isFirst && (first?.seq !== seq || first.changedAt !== changedAt)) return null;
    for (const { path, file } of isFirst ? page.slice(1) : page) {
      changed.set(path, file === null ? null : { path, ...file });
    }
    const last = page.at(-1);
    if (last === undefined) return null;
    ({ seq, changedAt } = last);
    await nextTick();
  }
  return changed.size === 0 ? known : { seq, changedAt, files: withChanged(known.files, changed) };
}

/** Applies the changes to the list in a single pass, however many there are. */
function withChanged(
  files: readonly CurrentContent[],
  changed: ReadonlyMap<WorkspacePath, CurrentContent | null>,
): readonly CurrentContent[] {
  const parts: (readonly CurrentContent[])[] = [];
  let from = 0;
  for (const [path, file] of [...changed].sort(([a], [b]) => compareByCodePoint(a, b))) {
    const at = locationOf(files, path);
    parts.push(files.slice(from, at), file === null ? [] : [file]);
    from = files[at]?.path === path ? at + 1 : at;
  }
  return [...parts, files.slice(from)].flat();
}

/** Index of a path in a list sorted by path, or its insertion point. */
export function locationOf(files: readonly Pick<CurrentContent, 'path'>[], path: WorkspacePath): number {
  let [start, end] = [0, files.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    const found = files[middle];
    if (found !== undefined && compareByCodePoint(found.path, path) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}
