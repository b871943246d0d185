import type { WorkspacePath } from '@stoa/core';
import type { Reader } from './reader.ts';
import type { Script } from './script.ts';

/** What a request with a key reads before anything else. */
export interface ForeseenReads {
  /** Of the key. */
  readonly secretHash: string;
  readonly workspaceId: string;
  /** The file that it opens; null for none. */
  readonly openedPath: WorkspacePath | null;
}

/**
 * The database behind the service. SQLite and PostgreSQL implement it over the same queries and the same transaction
 * scripts; there is no third place that knows a rule.
 */
export interface MetadataStore extends AsyncDisposable {
  /**
   * Single reads: those of one turn of the event loop may share a snapshot, which ends before a change of this process is
   * acknowledged. Cheap: for the checks that a transaction asks again.
   */
  readonly reader: Reader;

  /** From here on `reader` answers with nothing older than this moment: called when a request begins. */
  readAnew(): void;

  /**
   * This store for one request, of which it is known what its first reads will be: where each is a wait they may be asked
   * together, when this is called. The first read of each kind has that answer; all others are reads as ever.
   * @param reads is not called where there is nothing to gain; null where nothing is known.
   */
  foresee(reads: () => ForeseenReads | null): MetadataStore;

  /**
   * Runs `read` with every query answered from one snapshot, which never includes a change that is not durable.
   * The number of snapshots held at once is bounded; further callers wait.
   */
  snapshot<Result>(read: (reader: Reader) => Promise<Result>): Promise<Result>;

  /**
   * Runs a script in a transaction of its own and resolves after the durable commit. Scripts that arrive while a
   * commit is being made durable share the next one. A refused one leaves no trace, and may have been run twice.
   *
   * @param onSent is called with how many scripts share the commit, when the command leaves its queue: more may join them. Again
   * each time that it is tried again.
   * @throws WorkspaceError when the script refuses; nothing of it was kept.
   * @throws WorkspaceError `storage_full` when the disk is full; nothing was acknowledged and later calls may succeed.
   */
  transact<Command, Outcome>(
    script: Script<Command, Outcome>,
    command: Command,
    onSent?: (scripts: number) => void,
  ): Promise<Outcome>;

  /**
   * Calls `listener` with the ids of workspaces whose feed may have grown. It may be called late, twice or for nothing,
   * and not at all for changes of other processes.
   * @returns a function that ends the subscription.
   */
  onChange(listener: (workspaceIds: readonly string[]) => void): () => void;
}
