import { compareByCodePoint, searchedPath, type WorkspacePath } from '@stoa/core';
import type { ChangedContent, CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { CurrentFile } from './current-files.ts';
import type { Ticks } from './ticks.ts';

type FileReads = Pick<Reader, 'files'>;
type Workspace = Pick<WorkspaceRow, 'id' | 'seq'>;

/** The files of a workspace as of the change at `seq`. Immutable. */
export interface KnownFiles {
  readonly seq: number;
  /** Time of that change: distinguishes it from another change with the same seq after a database restore. */
  readonly changedAt: number;
  /** By path. */
  readonly files: readonly CurrentFile[];
}

/** With more changes than this, reading all files again is as fast as following the changes. */
const changesMax = 5000;
/** One page takes a few milliseconds. */
const changesAtOnce = 250;
const pageRows = 1000;

/** Reads all files. `reader` must be one snapshot. */
export async function readFiles(
  reader: FileReads,
  ticks: Ticks,
  { id, seq }: Workspace,
): Promise<KnownFiles> {
  const files: CurrentFile[] = [];
  for (;;) {
    await ticks.next();
    const page: readonly CurrentContent[] = await reader.files.contentsPage({
      workspaceId: id,
      afterPath: files.at(-1)?.path ?? null,
      limit: pageRows,
    });
    for (const content of page) files.push({ ...content, ...searchedPath(content.path, files.at(-1)) });
    if (page.length < pageRows) break;
  }
  const [last] = await changesFrom(reader, id, seq, 1);
  return { seq, changedAt: last?.changedAt ?? 0, files };
}

/**
 * Follows the feed from `known` to the snapshot behind `reader`.
 * @returns null when reading all files is cheaper, or when the database was restored to an earlier state.
 */
export async function followFiles(
  reader: FileReads,
  ticks: Ticks,
  workspace: Workspace,
  known: KnownFiles,
): Promise<KnownFiles | null> {
  const behind = workspace.seq - known.seq;
  if (behind < 0 || behind > changesMax) return null;
  let { seq, changedAt } = known;
  const changed = new Map<WorkspacePath, CurrentFile | null>();
  // Starts with the change of the known list: if that is missing or different, the database was restored.
  for (let isFirst = true; isFirst || seq < workspace.seq; isFirst = false) {
    const page = await changesFrom(reader, workspace.id, isFirst ? seq : seq + 1, changesAtOnce);
    const [first] = page;
    if (isFirst && (first?.seq !== seq || first.changedAt !== changedAt)) return null;
    for (const { path, file } of isFirst ? page.slice(1) : page) {
      changed.set(path, file === null ? null : { ...file, ...searchedPath(path) });
    }
    const last = page.at(-1);
    if (last === undefined) return null;
    ({ seq, changedAt } = last);
    if (seq < workspace.seq) await ticks.next();
  }
  return changed.size === 0 ? known : { seq, changedAt, files: withChanged(known.files, changed) };
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

/** Applies the changes to the list in a single pass, however many there are. */
function withChanged(
  files: readonly CurrentFile[],
  changed: ReadonlyMap<WorkspacePath, CurrentFile | null>,
): readonly CurrentFile[] {
  const parts: (readonly CurrentFile[])[] = [];
  let from = 0;
  for (const [path, file] of [...changed].sort(([a], [b]) => compareByCodePoint(a, b))) {
    const at = locationOf(files, path);
    parts.push(files.slice(from, at), file === null ? [] : [file]);
    from = files[at]?.path === path ? at + 1 : at;
  }
  return ([] as readonly CurrentFile[]).concat(...parts, files.slice(from));
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
