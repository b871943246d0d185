import type { StoredState } from './ports/state-rows.ts';
import type { StateChange, StateStore } from './ports/state-store.ts';

/** The engine's state. Changes apply in memory at once and are written in the same order. */
export class Memory {
  readonly state: Omit<StoredState, 'meta'> & { meta: StoredState['meta'] };
  readonly #store: StateStore;

  constructor(state: StoredState, store: StateStore) {
    this.state = { ...state };
    this.#store = store;
  }

  /** `durable`: resolves once the changes survive a power failure. Needed before a request that changes the server. */
  async commit(changes: readonly StateChange[], durability: 'durable' | 'grouped'): Promise<void> {
    for (const change of changes) this.#apply(change);
    await this.#store.commit(changes, durability);
  }

  #apply(change: StateChange): void {
    const { state } = this;
    switch (change.table) {
      case 'meta':
        state.meta = { ...state.meta, ...change.values };
        return;
      case 'base':
        put(state.base, change.path, change.row);
        return;
      case 'folder':
        put(state.folders, change.path, change.row);
        return;
      case 'remote':
        put(state.remote, change.path, change.row);
        return;
      case 'revoked':
        put(state.revoked, change.path, change.seq);
        return;
      case 'hash_cache':
        put(state.hashCache, change.path, change.row);
        return;
      case 'intent':
        put(state.intents, change.id, change.row);
        return;
      case 'folder_move':
        put(state.folderMoves, change.id, change.row);
        return;
      case 'left_out':
        put(state.skipped, change.path, change.row);
        return;
      case 'hold':
        put(state.holds, change.id, change.row);
        return;
      case 'conflict':
        put(state.conflicts, change.copyPath, change.row);
        return;
      case 'trash':
      case 'log':
        return;
      case 'all': {
        const { base, folders, remote, revoked, hashCache, intents, folderMoves, skipped, holds, conflicts } =
          state;
        for (const each of [base, folders, remote, revoked, hashCache]) each.clear();
        for (const each of [intents, folderMoves, skipped, holds, conflicts]) each.clear();
      }
    }
  }
}

function put<Key, Row>(rows: Map<Key, Row>, key: Key, row: Row | null): void {
  if (row === null) rows.delete(key);
  else rows.set(key, row);
}
