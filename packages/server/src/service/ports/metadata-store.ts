import type { WorkspacePath } from '@stoa/core';
import type { Reader } from './reader.ts';
import type { Script } from './script.ts';

/** Prefetch parameters: the first reads of a request with a key. */
export interface Prefetch {
  /** Of the key. */
  readonly secretHash: string;
  readonly workspaceId: string;
  /** The file that the request opens; null: no file. */
  readonly openedPath: WorkspacePath | null;
}

/**
 * The database behind the service. SQLite and PostgreSQL implement it with the same queries and the same transaction
 * scripts, and hold no rules of their own.
 */
export interface MetadataStore extends AsyncDisposable {
  /**
   * Single reads. Reads of one tick may share a snapshot, which ends before a change of this process is acknowledged.
   * Use it for cheap checks that a transaction repeats.
   */
  readonly reader: Reader;

  /** From now on `reader` returns nothing older than this moment. Called when a request begins. */
  refreshReads(): void;

  /**
   * This store for one request whose first reads are known. Where each read is a round trip, it may prefetch them all
   * in one, when this is called. The first read of each kind uses the prefetched result; later ones query as usual.
   * @param reads called only where prefetching helps; returns null when the reads are unknown.
   */
  foresee(reads: () => Prefetch | null): MetadataStore;

  /**
   * Runs all queries of `read` on one snapshot, which never includes a change that is not durable. Afterwards `reader`
   * returns nothing older. The number of open snapshots is bounded; further callers wait.
   */
  snapshot<Result>(read: (reader: Reader) => Promise<Result>): Promise<Result>;

  /**
   * Runs a script in a transaction of its own and resolves after the durable commit. Scripts that arrive while a commit
   * is being made durable share the next one. A rejected script leaves no trace, and may run twice.
   * @param onSent called with the number of scripts that share the commit, when the command leaves its queue; more may
   * join them. Called again for each retry.
   * @throws WorkspaceError when the script rejects; nothing of it was stored.
   * @throws WorkspaceError `storage_full` when the disk is full; nothing was acknowledged, and later calls may succeed.
   */
  transact<Command, Outcome>(
    script: Script<Command, Outcome>,
    command: Command,
    onSent?: (scripts: number) => void,
  ): Promise<Outcome>;

  /**
   * Calls `listener` with the ids of workspaces whose feed may have grown. Calls can be late, repeated or spurious, and
   * can be missing for changes of other processes.
   * @returns a function that ends the subscription.
   */
  onChange(listener: (workspaceIds: readonly string[]) => void): () => void;
}
