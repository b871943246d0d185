import type { BaseFile, BaseFolder, RemoteState, WorkspacePath } from '@stoa/core';
import type { DiskPath } from './local-folder.ts';
import type {
  CachedHash,
  ConflictRow,
  FolderMove,
  HoldRow,
  Intent,
  LeftOutRow,
  LogEntry,
  LogRow,
  StoredState,
  SyncMeta,
  TrashRow,
} from './state-rows.ts';

/**
 * What the engine remembers between its starts. It is held in memory by the engine, and written here in transactions;
 * what one `commit` is given is there after a crash whole or not at all, and never before what an earlier one was given.
 */
export interface StateStore extends StateReader, AsyncDisposable {
  /** All that is kept, but for log and trash. */
  load(): Promise<StoredState>;
  /**
   * `durable`: resolves once it survives a loss of power, with everything given before: before a request that changes the
   * server. `grouped`: resolves once it survives the end of this process, together with others that come within 5 ms.
   *
   * @throws StateWriteError when it cannot be written, and so does every commit after it: the engine has to stop.
   */
  commit(changes: readonly StateChange[], durability: 'durable' | 'grouped'): Promise<void>;
  /** Writes all that waits. */
  flush(): Promise<void>;
}

/** Asks for what is kept, also beside the process that works. Lists hold at most `limit`. */
export interface StateReader {
  readMeta(): Promise<SyncMeta>;
  readCounts(): Promise<StateCounts>;
  /** By path. */
  listLeftOut(limit: number): Promise<readonly LeftOutRow[]>;
  listHolds(): Promise<readonly HoldRow[]>;
  /** By the copy's path. */
  listConflicts(limit: number): Promise<readonly ConflictRow[]>;
  /** Newest first. */
  listTrash(limit: number): Promise<readonly TrashRow[]>;
  /** Those of one path. */
  listTrashOf(path: WorkspacePath): Promise<readonly TrashRow[]>;
  /** The newest `limit` of those after the id, of one path or folder or of all, oldest first. */
  readLog(query: {
    readonly afterId: number;
    readonly path: string | null;
    readonly limit: number;
  }): Promise<readonly LogRow[]>;
  /** What the base has of one path. */
  readBaseFile(path: WorkspacePath): Promise<BaseFile | null>;
  /** Paths of the base that begin with this text, by code point; those after a path, to read on. */
  listBasePaths(beginning: string, limit: number, after?: WorkspacePath): Promise<readonly WorkspacePath[]>;
}

export interface StateCounts {
  readonly files: number;
  readonly remoteDifferences: number;
  readonly localDifferences: number;
  readonly intents: number;
  /** Of these three, those of paths that are not left out: what is still to be done. */
  readonly pending: { readonly down: number; readonly up: number; readonly intents: number };
  readonly conflicts: number;
  readonly holds: number;
  readonly trashFiles: number;
  readonly trashBytes: number;
  readonly leftOut: readonly { readonly reason: LeftOutRow['reason']; readonly count: number }[];
}

/** One row: it replaces what has the same key, and null removes that. */
export type StateChange =
  | { readonly table: 'meta'; readonly values: Partial<SyncMeta> }
  | { readonly table: 'base'; readonly path: WorkspacePath; readonly row: BaseFile | null }
  | { readonly table: 'folder'; readonly path: WorkspacePath; readonly row: BaseFolder | null }
  | { readonly table: 'remote'; readonly path: WorkspacePath; readonly row: RemoteState | null }
  | { readonly table: 'revoked'; readonly path: WorkspacePath; readonly seq: number | null }
  | { readonly table: 'hash_cache'; readonly path: DiskPath; readonly row: CachedHash | null }
  | { readonly table: 'intent'; readonly id: string; readonly row: Intent | null }
  | { readonly table: 'folder_move'; readonly id: string; readonly row: FolderMove | null }
  | { readonly table: 'left_out'; readonly path: string; readonly row: LeftOutRow | null }
  | { readonly table: 'hold'; readonly id: string; readonly row: HoldRow | null }
  | { readonly table: 'conflict'; readonly copyPath: WorkspacePath; readonly row: ConflictRow | null }
  | { readonly table: 'trash'; readonly id: string; readonly row: TrashRow | null }
  /** The oldest beyond `logRowsMax` go. */
  | { readonly table: 'log'; readonly entry: LogEntry }
  /** Everything but meta, trash and log goes: the first contact begins. */
  | { readonly table: 'all'; readonly kind: 'clear' };

export class StateWriteError extends Error {
  override readonly name: string = 'StateWriteError';
}

/** What is kept was torn or overwritten. */
export class StateDamagedError extends StateWriteError {
  override readonly name = 'StateDamagedError';
}

/**
 * What keeps the state from being read or written: `denied` is a right that this user has not, `locked` another program that holds
 * it.
 */
export type StateDiskTrouble = 'full' | 'read_only' | 'denied' | 'failing' | 'locked';

/** The disk does not do it. Reading fails as well: a database makes files beside it for that. */
export class StateDiskError extends StateWriteError {
  override readonly name = 'StateDiskError';
  readonly trouble: StateDiskTrouble;

  constructor(trouble: StateDiskTrouble, message: string, options: ErrorOptions) {
    super(message, options);
    this.trouble = trouble;
  }
}
