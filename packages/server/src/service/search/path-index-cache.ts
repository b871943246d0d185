// A database index has no fuzzy order. The feed keeps this one exact: a search sees every acknowledged write.
import { type PathIndex, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { MetadataStore } from '../ports/metadata-store.ts';
import type { Reader } from '../ports/reader.ts';
import { followPathChanges, readPathIndex, type SeqIndex } from './read-path-index.ts';
import { readPrivacyOwners } from './read-privacy-owners.ts';
import { createTicks, type Ticks } from './ticks.ts';

/** The paths and privacy records for a search, both from one snapshot. */
export interface SearchablePaths {
  readonly index: PathIndex;
  readonly ownerByPath: ReadonlyMap<WorkspacePath, string>;
}

/** Cache of the path indexes of recently searched workspaces. Owned by the composition root. */
export interface PathIndexes {
  /**
   * Returns a workspace's paths as of now or later: they include every change that was acknowledged before the call, by
   * any process.
   * @throws WorkspaceError `workspace_not_found`
   */
  read(workspaceId: string): Promise<SearchablePaths>;
  /** Shared by all searches, each of which computes in steps. */
  readonly ticks: Ticks;
}

/** About 2,000,000 paths. The most recently used index is kept whatever its size. */
const indexBytesMax = 384 * 1024 * 1024;
/** Reading a large workspace takes seconds and needs a snapshot, which are scarce. */
const readingsMax = 2;
const readingsWaitingMax = 1000;

/** A running read and the one after it, which later callers share. */
interface Flight {
  readonly now: Promise<SearchablePaths>;
  next: Promise<SearchablePaths> | null;
}

export function createPathIndexes(
  store: Pick<MetadataStore, 'snapshot'>,
  limits: { readonly indexBytesMax: number } = { indexBytesMax },
): PathIndexes {
  const ticks = createTicks();
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
    return { index: made.index, ownerByPath: await readPrivacyOwners(reader, ticks, workspace) };
  }

  async function refresh(workspaceId: string): Promise<SearchablePaths> {
    const known = kept.get(workspaceId);
    if (known !== undefined) {
      const followed = await store.snapshot((reader) =>
        readFrom(reader, workspaceId, (workspace) => followPathChanges(reader, ticks, workspace, known)),
      );
      if (followed !== null) return followed;
    }
    const read = await readings.run(
      () =>
        store.snapshot((reader) =>
          readFrom(reader, workspaceId, (workspace) => readPathIndex(reader, ticks, workspace)),
        ),
      workspaceId,
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
    ticks,
    read(workspaceId) {
      const flight = flights.get(workspaceId);
      if (flight === undefined) return launch(workspaceId);
      // The running read may have begun before the caller's last write was acknowledged.
      const relaunch = () => launch(workspaceId);
      flight.next ??= flight.now.then(relaunch, relaunch);
      return flight.next;
    },
  };
}
