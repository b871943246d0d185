import { contentTypeAfterMove, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import { isHidden } from '../privacy/find-owner.ts';
import type { Departure } from './touched-paths.ts';
import { isUndone, type UndoneChanges } from './undone-actor.ts';

export type StoredContent = Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes' | 'contentType'>;

export interface Step {
  readonly after: StoredContent | null;
  readonly isUndone: boolean;
  /** The author of a text; null for a change that is not a write and is never combined with others. */
  readonly writer: string | null;
}

/** History of a file from the first undone change on. */
export interface Timeline {
  readonly current: FileRow | null;
  /** The content before it. */
  readonly start: StoredContent | null;
  readonly steps: readonly Step[];
  /** The path from which the actor moved it, when it is elsewhere now. */
  readonly movedFrom: WorkspacePath | null;
  /** The actor deleted an earlier file here that is not part of this one's history. */
  readonly hasReplaced: boolean;
  /** False: the history has more versions than the limit. */
  readonly isWhole: boolean;
}

const versionsMax = 1000;
const pageVersions = 100;
/** A change is recorded some time after its time was taken: order and times may differ by this much. */
export const skewMs = 60_000;

/**
 * Reads a file's history: its versions, through moves as far as the caller sees the earlier paths, and the earlier
 * files at this path, where a deletion is in between. Null: the caller may not see the path.
 */
export async function readTimeline(
  reader: Reader,
  { workspace: { id: workspaceId }, viewer }: WorkspaceAccess,
  path: WorkspacePath,
  departures: readonly Departure[],
  undone: UndoneChanges,
): Promise<Timeline | null> {
  if (await isHidden(reader, workspaceId, path, viewer)) return null;
  const current = await reader.files.find(workspaceId, path);
  const incarnations = await reader.files.incarnationsAt(workspaceId, path);
  const walked = new Set<Departure>();
  /** Newest first. */
  const steps: Step[] = [];
  let movedFrom: WorkspacePath | null = null;
  let start: StoredContent | null = null;
  let isWhole = true;
  let at: { readonly path: WorkspacePath; readonly incarnation: number } | null = null;

  /** The file before the one that began at this seq, if its deletion is known. */
  const goBack = (before: number): typeof at => {
    const incarnation = incarnations.find((earlier) => earlier < before);
    const departure = departures.findLast(({ seq }) => seq < before);
    if (incarnation === undefined || departure === undefined || departure.seq <= incarnation) return null;
    if (departure.isMove) return null;
    walked.add(departure);
    steps.push({ after: null, isUndone: departure.isUndone, writer: null });
    return { path, incarnation };
  };

  at = current === null ? goBack(Number.MAX_SAFE_INTEGER) : { path, incarnation: current.incarnation };
  walk: while (at !== null) {
    const location: NonNullable<typeof at> = at;
    let first: VersionRow | null = null;
    for await (const row of versionsOf(reader, workspaceId, location)) {
      const content = contentOf(row, path);
      if (row.createdAt < undone.since - skewMs) {
        start = content;
        break walk;
      }
      if (steps.length >= versionsMax) {
        isWhole = false;
        break walk;
      }
      steps.push({
        after: content,
        isUndone: isUndone(undone, row),
        writer: row.op === 'write' ? `${row.actorId} ${row.actorKeyId ?? ''}` : null,
      });
      first = row;
    }
    const source = first?.movedFrom ?? null;
    if (first !== null && source !== null) {
      if (await isHidden(reader, workspaceId, source.path, viewer)) {
        // A move changes no bytes: the moved content is the content before it.
        start = contentOf(first, path);
        break;
      }
      if (isUndone(undone, first)) movedFrom = source.path;
      at = source;
    } else if (location.path === path) {
      at = goBack(location.incarnation);
    } else {
      at = null;
    }
  }
  steps.reverse();
  const firstUndone = steps.findIndex((step) => step.isUndone);
  if (firstUndone > 0) start = steps[firstUndone - 1]?.after ?? null;
  return {
    current,
    // The actor may only have deleted a file that others restored, and moved it here: then all of it stays.
    start: firstUndone === -1 ? current : start,
    steps: firstUndone === -1 ? [] : steps.slice(firstUndone),
    movedFrom: movedFrom === path ? null : movedFrom,
    hasReplaced: departures.some((departure) => isDeletion(departure) && !walked.has(departure)),
    isWhole,
  };
}

function isDeletion({ isUndone, isMove }: Departure): boolean {
  return isUndone && !isMove;
}

/** Newest first. */
async function* versionsOf(
  { files }: Pick<Reader, 'files'>,
  workspaceId: string,
  at: { readonly path: WorkspacePath; readonly incarnation: number },
): AsyncGenerator<VersionRow, void, undefined> {
  let belowVersion: number | null = null;
  while (belowVersion !== 1) {
    const rows: readonly VersionRow[] = await files.versionsOf({
      workspaceId,
      ...at,
      belowVersion,
      limit: pageVersions,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    belowVersion = last.version;
  }
}

/** With the type that the content would have at the file's current path. */
function contentOf(row: VersionRow, path: WorkspacePath): StoredContent {
  const { workspaceId, contentHash, sizeBytes } = row;
  return {
    workspaceId,
    contentHash,
    sizeBytes,
    contentType: contentTypeAfterMove(row.contentType, row.path, path),
  };
}
