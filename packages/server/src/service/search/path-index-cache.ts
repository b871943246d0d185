// docs/decisions/0017-search.md
import { type PathIndex, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { MetadataStore } from '../ports/metadata-store.ts';
import type { Reader } from '../ports/reader.ts';
import { followPathChanges, readPathIndex, type SeqIndex } from './read-path-index.ts';
import { readPrivacyOwners } from './read-privacy-owners.ts';
import { createTurns, type Turns } from './turns.ts';

/** What a search needs of a workspace, all of one snapshot: a path and what hides it never come from different times. */
export interface SearchablePaths {
  readonly index: PathIndex;
  readonly ownerByPath: ReadonlyMap<WorkspacePath, string>;
}

/** The path indexes of the workspaces searched lately. Owned by the composition root. */
export interface PathIndexes {
  /**
   * A workspace's paths as of now or later: every change that was acknowledged before the call is in it, by whatever
   * process it was made.
   * @throws WorkspaceError `workspace_not_found`
   */
  read(workspaceId: string): Promise<SearchablePaths>;
  /** Shared by all searches, each of which computes in steps. */
  readonly turns: Turns;
}

/** Of a process: about 2,000,000 paths. The index used last is kept whatever its size. */
export const indexBytesMax = 384 * 1024 * 1024;
/** Reading a large workspace takes seconds and holds a snapshot, of which there are few. */
const readingsMax = 2;
const readingsWaitingMax = 1000;

/** One reading that is under way, and one that starts after it: callers that come meanwhile share the second. */
interface Flight {
  readonly now: Promise<SearchablePaths>;
  next: Promise<SearchablePaths> | null;
}

export function createPathIndexes(
  store: Pick<MetadataStore, 'snapshot'>,
  limits: { readonly indexBytesMax: number } = { indexBytesMax },
): PathIndexes {
  const turns = createTurns();
  const readings = createSemaphore(readingsMax, { waitingMax: readingsWaitingMax });
  const flights = new Map<string, Flight>();
  /** Least recently used first. */
  const kept = new Map<string, SeqIndex>();

  function keep(workspaceId: string, made: SeqIndex): void {
    kept.delete(workspaceId);
    kept.set(workspaceId, made);
    let bytes = 0;
    for (const { index } of kept.values()) bytes += index.sizeBytes;
    for (const [oldest, { index }] of kept) {
      if (bytes <= limits.indexBytesMax || oldest === workspaceId) return;
      kept.delete(oldest);
      bytes -= index.sizeBytes;
    }
  }

  async function readFrom(
    reader: Reader,
    workspaceId: string,
    readIndex: (workspace: { id: string; seq: number }) => Promise<SeqIndex | null>,
  ): Promise<SearchablePaths | null> {
    const workspace = await reader.workspaces.find(workspaceId);
    if (workspace === null) throw new WorkspaceError('workspace_not_found');
    const made = await readIndex(workspace);
    if (made === null) return null;
    keep(workspaceId, made);
    return { index: made.index, ownerByPath: await readPrivacyOwners(reader, turns, workspace) };
  }

  async function refresh(workspaceId: string): Promise<SearchablePaths> {
    const known = kept.get(workspaceId);
    if (known !== undefined) {
      const followed = await store.snapshot((reader) =>
        readFrom(reader, workspaceId, (workspace) => followPathChanges(reader, turns, workspace, known)),
      );
      if (followed !== null) return followed;
    }
    const read = await readings.run(() =>
      store.snapshot((reader) =>
        readFrom(reader, workspaceId, (workspace) => readPathIndex(reader, turns, workspace)),
      ),
    );
    if (read === null) throw new Error('reading all paths always makes an index');
    return read;
  }

  function launch(workspaceId: string): Promise<SearchablePaths> {
    const flight: Flight = { now: refresh(workspaceId), next: null };
    flights.set(workspaceId, flight);
    const land = () => {
      if (flight.next === null) flights.delete(workspaceId);
    };
    flight.now.then(land, land);
    return flight.now;
  }

  return {
    turns,
    read(workspaceId) {
      const flight = flights.get(workspaceId);
      if (flight === undefined) return launch(workspaceId);
      // The reading under way may have begun before the caller's last write was acknowledged.
      const relaunch = () => launch(workspaceId);
      flight.next ??= flight.now.then(relaunch, relaunch);
      return flight.next;
    },
  };
}
