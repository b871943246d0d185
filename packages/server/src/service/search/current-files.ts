import { type SearchedPath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { MetadataStore } from '../ports/metadata-store.ts';
import { followFiles, type KnownFiles, readFiles } from './read-files.ts';
import { readPrivacyOwners } from './read-privacy-owners.ts';
import { createRecentlyUsed } from './recently-used.ts';
import { createTicks, type Ticks } from './ticks.ts';

/** A file as searches look at it, prepared for a search of names. */
export type CurrentFile = CurrentContent & SearchedPath;

/** The files and privacy records of a workspace, both from one snapshot. Immutable. */
export interface FileList {
  /** All members' files, by path. */
  readonly files: readonly CurrentFile[];
  readonly ownerByPath: ReadonlyMap<WorkspacePath, string>;
  /** The last change that the list includes. */
  readonly seq: number;
}

/** Cache of the file lists of recently searched workspaces. Owned by the composition root. */
export interface CurrentFiles {
  /**
   * Returns a workspace's files as of now or later: they include every change that was acknowledged before the call, by
   * any process.
   * @throws WorkspaceError `workspace_not_found`
   */
  read(workspaceId: string): Promise<FileList>;
  /** Shared by all searches, each of which computes in steps. */
  readonly ticks: Ticks;
}

/** For one process: some 500 MB. The most recently used list is kept whatever its size. */
const listedFilesMax = 1_000_000;
/** Reading a large workspace takes seconds and needs a snapshot, which are scarce. */
const readingsMax = 2;
const readingsWaitingMax = 1000;

/** A running read and the one after it, which later callers share. */
interface Flight {
  readonly now: Promise<FileList>;
  next: Promise<FileList> | null;
}

export function createCurrentFiles(
  store: Pick<MetadataStore, 'snapshot'>,
  limits: { readonly filesMax: number } = { filesMax: listedFilesMax },
): CurrentFiles {
  const ticks = createTicks();
  const readings = createSemaphore(readingsMax, { waitingMax: readingsWaitingMax });
  const flights = new Map<string, Flight>();
  const kept = createRecentlyUsed<KnownFiles>(limits.filesMax, ({ files }) => files.length);

  /** @param known null to read all files. @returns null when they have to be read. */
  function readFrom(workspaceId: string, known: KnownFiles | null): Promise<FileList | null> {
    return store.snapshot(async (reader) => {
      const workspace = await reader.workspaces.find(workspaceId);
      if (workspace === null) throw new WorkspaceError('workspace_not_found');
      const made =
        known === null
          ? await readFiles(reader, ticks, workspace)
          : await followFiles(reader, ticks, workspace, known);
      if (made === null) return null;
      kept.set(workspaceId, made);
      const ownerByPath = await readPrivacyOwners(reader, ticks, workspace);
      return { files: made.files, ownerByPath, seq: made.seq };
    });
  }

  async function refresh(workspaceId: string): Promise<FileList> {
    const known = kept.get(workspaceId);
    const followed = known === undefined ? null : await readFrom(workspaceId, known);
    if (followed !== null) return followed;
    const read = await readings.run(() => readFrom(workspaceId, null), workspaceId);
    if (read === null) throw new Error('reading all files always makes a list');
    return read;
  }

  function launch(workspaceId: string): Promise<FileList> {
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
