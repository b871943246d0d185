import type { WorkspacePath } from '@stoa/core';
import {
  emptyMeta,
  type LogRow,
  type StoredState,
  type TrashRow,
} from '../../src/engine/ports/state-rows.ts';
import {
  type StateChange,
  type StateCounts,
  type StateStore,
  StateWriteError,
} from '../../src/engine/ports/state-store.ts';

type Kept = StoredState & { readonly trash: Map<string, TrashRow>; readonly log: LogRow[] };

/** A store in memory with simulated crashes and power losses. */
export interface MemoryStateStore extends StateStore {
  /** Returns the store that the next process finds: all commits, or only those that survive a power loss. */
  crash(kind: 'process' | 'power'): MemoryStateStore;
  /** Makes every later commit fail. */
  breakWriting(): void;
}

const emptyState = (): Kept => ({
  meta: emptyMeta,
  base: new Map(),
  folders: new Map(),
  remote: new Map(),
  revoked: new Map(),
  hashCache: new Map(),
  intents: new Map(),
  folderMoves: new Map(),
  skipped: new Map(),
  holds: new Map(),
  conflicts: new Map(),
  trash: new Map(),
  log: [],
});

/**
 * @param turn is awaited before a commit is done, like the time of a disk write.
 */
export function createMemoryStateStore(
  round: () => Promise<void> = async () => {},
  from: Kept = emptyState(),
): MemoryStateStore {
  let kept = from;
  let synced = structuredClone(from);
  let isBroken = false;
  const waiting: StateChange[] = [];
  // Commits that a power loss undoes. Copying the whole state at each durable commit would dominate the run time.
  const unsynced: StateChange[] = [];
  const settle = () => {
    for (const change of waiting.splice(0)) {
      kept = applied(kept, change);
      unsynced.push(change);
    }
  };
  const limited = <Row>(rows: Iterable<Row>, limit: number) => structuredClone([...rows].slice(0, limit));
  return {
    load: async () => {
      const { trash: _trash, log: _log, ...state } = structuredClone(kept);
      return state;
    },
    async commit(changes, durability) {
      if (isBroken) throw new StateWriteError('played');
      // Rows are never changed, only replaced.
      waiting.push(...changes);
      await round();
      if (isBroken) throw new StateWriteError('played');
      settle();
      if (durability !== 'durable') return;
      for (const change of unsynced.splice(0)) synced = applied(synced, change);
    },
    flush: async () => settle(),
    crash: (kind) => createMemoryStateStore(round, structuredClone(kind === 'power' ? synced : kept)),
    breakWriting: () => {
      isBroken = true;
    },
    [Symbol.asyncDispose]: async () => settle(),

    readMeta: async () => kept.meta,
    readCounts: async () => countsOf(kept),
    listLeftOut: async (limit) => limited(byKey(kept.skipped), limit),
    listHolds: async () =>
      limited(kept.holds.values(), Number.MAX_SAFE_INTEGER).sort(
        (a, b) => a.since - b.since || (a.id < b.id ? -1 : 1),
      ),
    listConflicts: async (limit) => limited(byKey(kept.conflicts), limit),
    listTrash: async (limit) =>
      limited(
        [...kept.trash.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)),
        limit,
      ),
    listTrashOf: async (path) => [...kept.trash.values()].filter((row) => row.path === path),
    readLog: async ({ afterId, path, limit }) =>
      kept.log
        .filter((row) => row.id > afterId && (path === null || `${row.path}/`.startsWith(`${path}/`)))
        .slice(-limit),
    readBaseFile: async (path) => kept.base.get(path) ?? null,
    listBasePaths: async (beginning, limit, after = '' as WorkspacePath) => {
      const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
      return [...kept.base.keys()]
        .filter((path) => path.startsWith(beginning) && order(path, after) > 0)
        .sort(order)
        .slice(0, limit);
    },
  };
}

function applied(kept: Kept, change: StateChange): Kept {
  const set = <Key, Row>(rows: Map<Key, Row>, key: Key, row: Row | null) => {
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  };
  switch (change.table) {
    case 'meta':
      return { ...kept, meta: { ...kept.meta, ...change.values } };
    case 'log':
      kept.log.push({ id: (kept.log.at(-1)?.id ?? 0) + 1, ...change.entry });
      break;
    case 'all':
      return { ...emptyState(), meta: kept.meta, trash: kept.trash, log: kept.log };
    case 'base':
      set(kept.base, change.path, change.row);
      break;
    case 'folder':
      set(kept.folders, change.path, change.row);
      break;
    case 'remote':
      set(kept.remote, change.path, change.row);
      break;
    case 'revoked':
      set<WorkspacePath, number>(kept.revoked, change.path, change.seq);
      break;
    case 'hash_cache':
      set(kept.hashCache, change.path, change.row);
      break;
    case 'intent':
      set(kept.intents, change.id, change.row);
      break;
    case 'folder_move':
      set(kept.folderMoves, change.id, change.row);
      break;
    case 'left_out':
      set(kept.skipped, change.path, change.row);
      break;
    case 'hold':
      set(kept.holds, change.id, change.row);
      break;
    case 'conflict':
      set(kept.conflicts, change.copyPath, change.row);
      break;
    case 'trash':
      set(kept.trash, change.id, change.row);
      break;
  }
  return kept;
}

function byKey<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([, row]) => row);
}

function countsOf(kept: Kept): StateCounts {
  const skipped = Map.groupBy(kept.skipped.values(), ({ reason }) => reason);
  const isPending = (path: string) => !kept.skipped.has(path);
  return {
    files: kept.base.size,
    remoteDifferences: kept.remote.size,
    localDifferences: kept.hashCache.size,
    intents: kept.intents.size,
    pending: {
      down: kept.remote.keys().filter(isPending).toArray().length,
      up: kept.hashCache.keys().filter(isPending).toArray().length,
      intents: kept.intents
        .values()
        .filter(({ path }) => isPending(path))
        .toArray().length,
    },
    conflicts: kept.conflicts.size,
    holds: kept.holds.size,
    trashFiles: kept.trash.size,
    trashBytes: [...kept.trash.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    skipped: [...skipped]
      .map(([reason, rows]) => ({ reason, count: rows.length }))
      .sort((a, b) => (a.reason < b.reason ? -1 : 1)),
  };
}
