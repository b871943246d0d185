import { createKept } from '../store/kept.ts';
import type { Store } from '../store/store.ts';
import { parseRecentFiles, withRecentFile } from './recent-files.ts';

const stores = new Map<string, Store<readonly string[]>>();

/** The files opened last in a workspace, on this device. */
export function recentFilesOf(workspaceId: string): Store<readonly string[]> {
  const known = stores.get(workspaceId);
  if (known !== undefined) return known;
  const store = createKept(`stoa.recent.${workspaceId}`, parseRecentFiles, JSON.stringify);
  stores.set(workspaceId, store);
  return store;
}

export function keepRecentFile(workspaceId: string, path: string): void {
  const store = recentFilesOf(workspaceId);
  if (store.get()[0] !== path) store.set(withRecentFile(store.get(), path));
}
