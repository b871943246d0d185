import type { BaseFile, BaseFolder, RemoteState, WorkspacePath } from '@stoa/core';
import type { DiskPath } from './local-folder.ts';
import type {
  CachedHash,
  ConflictRow,
  FolderMove,
  HoldRow,
  Intent,
  LogEntry,
  LogRow,
  SkippedRow,
  StoredState,
  SyncMeta,
  TrashRow,
} from './state-rows.ts';

/**
 * The engine's persistent state. The engine holds it in memory and writes it in transactions. After a crash, the
 * changes of one `commit` exist in full or not at all, and never without those of earlier commits.
 */
export interface StateStore extends StateReader, AsyncDisposable {
  /** Loads everything except log and trash. */
  load(): Promise<StoredState>;
  /**
   * `durable`: resolves once these and all earlier changes survive a power failure. Needed before a request that
   * changes the server. `grouped`: resolves once the changes survive the end of this process. They are written together
   * with others of the same 5 ms.
   *
   * @throws StateWriteError if the state cannot be written. Every later commit throws as well, so the engine must stop.
   */
  commit(changes: readonly StateChange[], durability: 'durable' | 'grouped'): Promise<void>;
  /** Writes all waiting changes. */
  flush(): Promise<void>;
}

/** Queries the state, also while another process works on it. Lists hold at most `limit` rows. */
export interface StateReader {
  readMeta(): Promise<SyncMeta>;
  readCounts(): Promise<StateCounts>;
  /** Ordered by path. */
  listLeftOut(limit: number): Promise<readonly SkippedRow[]>;
  listHolds(): Promise<readonly HoldRow[]>;
  /** Ordered by the path of the copy. */
  listConflicts(limit: number): Promise<readonly ConflictRow[]>;
  /** Newest first. */
  listTrash(limit: number): Promise<readonly TrashRow[]>;
  /** Rows of one path. */
  listTrashOf(path: WorkspacePath): Promise<readonly TrashRow[]>;
  /** The newest `limit` entries after the id, oldest first; of one path or folder, or of all. */
  readLog(query: {
    readonly afterId: number;
    readonly path: string | null;
    readonly limit: number;
  }): Promise<readonly LogRow[]>;
  /** The base entry of one path. */
  readBaseFile(path: WorkspacePath): Promise<BaseFile | null>;
  /** Paths of the base with this prefix, by code point; after `after`, to continue a list. */
  listBasePaths(beginning: string, limit: number, after?: WorkspacePath): Promise<readonly WorkspacePath[]>;
}

export interface StateCounts {
  readonly files: number;
  readonly remoteDifferences: number;
  readonly localDifferences: number;
  readonly intents: number;
  /** Pending work: the counts of these three without skipped paths. */
  readonly pending: { readonly down: number; readonly up: number; readonly intents: number };
  readonly conflicts: number;
  readonly holds: number;
  readonly trashFiles: number;
  readonly trashBytes: number;
  readonly skipped: readonly { readonly reason: SkippedRow['reason']; readonly count: number }[];
}

/** One row. It replaces the row with the same key; null removes it. */
export type StateChange =
  | { readonly table: 'meta'; readonly values: Partial<SyncMeta> }
  | { readonly table: 'base'; readonly path: WorkspacePath; readonly row: BaseFile | null }
  | { readonly table: 'folder'; readonly path: WorkspacePath; readonly row: BaseFolder | null }
  | { readonly table: 'remote'; readonly path: WorkspacePath; readonly row: RemoteState | null }
  | { readonly table: 'revoked'; readonly path: WorkspacePath; readonly seq: number | null }
  | { readonly table: 'hash_cache'; readonly path: DiskPath; readonly row: CachedHash | null }
  | { readonly table: 'intent'; readonly id: string; readonly row: Intent | null }
  | { readonly table: 'folder_move'; readonly id: string; readonly row: FolderMove | null }
  | { readonly table: 'left_out'; readonly path: string; readonly row: SkippedRow | null }
  | { readonly table: 'hold'; readonly id: string; readonly row: HoldRow | null }
  | { readonly table: 'conflict'; readonly copyPath: WorkspacePath; readonly row: ConflictRow | null }
  | { readonly table: 'trash'; readonly id: string; readonly row: TrashRow | null }
  /** Removes the oldest beyond `logRowsMax`. */
  | { readonly table: 'log'; readonly entry: LogEntry }
  /** Clears everything except meta, trash and log. The first contact begins. */
  | { readonly table: 'all'; readonly kind: 'clear' };

export class StateWriteError extends Error {
  override readonly name: string = 'StateWriteError';
}

/** The stored state is torn or overwritten. */
export class StateDamagedError extends StateWriteError {
  override readonly name = 'StateDamagedError';
}

/**
 * Why the state cannot be read or written. `denied`: this user lacks the permission. `locked`: another program holds
 * the file.
 */
export type StateDiskTrouble = 'full' | 'read_only' | 'denied' | 'failing' | 'locked';

/** A disk error. Reading fails as well, because the database creates files next to its own to read. */
export class StateDiskError extends StateWriteError {
  override readonly name = 'StateDiskError';
  readonly trouble: StateDiskTrouble;

  constructor(trouble: StateDiskTrouble, message: string, options: ErrorOptions) {
    super(message, options);
    this.trouble = trouble;
  }
}
