// docs/decisions/0059-contents-in-an-index-beside.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareByCodePoint, parsePathPrefix, type WorkspacePath } from '@stoa/core';
import type { ChangedContent, CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';

type FileReads = Pick<Reader, 'workspaces' | 'files'>;

/** The lists of files of the workspaces searched lately, for all who search there: private ones are in them. */
export interface CurrentContents {
  /**
   * All files of the snapshot that `reader` holds, by path.
   * @returns null for a workspace that is not there, or too large to be kept.
   */
  read(reader: FileReads, workspaceId: string): Promise<readonly CurrentContent[] | null>;
}

/** As of the change at `seq`. Nothing in it is changed: searches of several snapshots use it at once. */
interface Kept {
  readonly seq: number;
  /** When that change was made: tells it from another one with its seq, after the database was put back. */
  readonly changedAt: number;
  readonly files: readonly CurrentContent[];
}

/** Some 25 MB. */
const filesMax = 100_000;
/** Beyond so many changes all files are read again. */
const changesMax = 1000;
const pageRows = 2000;
const everything = parsePathPrefix('');

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

  return {
    async read(reader, workspaceId) {
      const workspace = await reader.workspaces.find(workspaceId);
      if (workspace === null || workspace.usedFiles >= limits.filesMax) return null;
      const known = kept.get(workspaceId);
      const followed = known === undefined ? null : await follow(reader, workspace, known);
      if (followed !== null) {
        keep(workspaceId, followed);
        return followed.files;
      }
      const files = await readAll(reader, workspaceId);
      const [last] = await changesFrom(reader, workspaceId, workspace.seq, 1);
      if (last !== undefined) keep(workspaceId, { seq: last.seq, changedAt: last.changedAt, files });
      return files;
    },
  };
}

/** A list takes room itself: lists without a file would else be kept without bound. */
function roomOf({ files }: Kept): number {
  return files.length + 1;
}

async function readAll({ files }: FileReads, workspaceId: string): Promise<readonly CurrentContent[]> {
  const all: CurrentContent[] = [];
  let afterPath: WorkspacePath | null = null;
  for (;;) {
    const query = { workspaceId, prefix: everything, afterPath, limit: pageRows };
    const page: readonly CurrentContent[] = await files.contentsPage(query);
    all.push(...page);
    if (page.length < pageRows) return all;
    afterPath = page.at(-1)?.path ?? null;
    await nextTurn();
  }
}

/** The change at a place of the feed, and those after it. */
function changesFrom(
  { files }: FileReads,
  workspaceId: string,
  seq: number,
  limit: number,
): Promise<readonly ChangedContent[]> {
  return files.contentsChangedSince({ workspaceId, sinceSeq: seq - 1, limit });
}

/** @returns null when reading all files is better, or when the workspace was put back to an earlier state. */
async function follow(
  reader: FileReads,
  workspace: { readonly id: string; readonly seq: number },
  known: Kept,
): Promise<Kept | null> {
  const behind = workspace.seq - known.seq;
  if (behind < 0 || behind > changesMax) return null;
  const [first, ...changes] = await changesFrom(reader, workspace.id, known.seq, behind + 1);
  if (first?.seq !== known.seq || first.changedAt !== known.changedAt) return null;
  const last = changes.at(-1);
  if (last === undefined) return behind === 0 ? known : null;
  const files = [...known.files];
  for (const { path, file } of changes) {
    const at = placeOf(files, path);
    const isThere = files[at]?.path === path;
    files.splice(at, isThere ? 1 : 0, ...(file === null ? [] : [{ path, ...file }]));
  }
  return { seq: last.seq, changedAt: last.changedAt, files };
}

/** Where a path stands in a list by path, or would stand. */
export function placeOf(files: readonly Pick<CurrentContent, 'path'>[], path: WorkspacePath): number {
  let [start, end] = [0, files.length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    const found = files[middle];
    if (found !== undefined && compareByCodePoint(found.path, path) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}
