import { createKept } from './kept.ts';
import { parseRecentFiles, withRecentFile } from './recent-files.ts';
import type { Store } from './store.ts';

export const recentSearchesMax = 8;

const stores = new Map<string, Store<readonly string[]>>();

/** The last searches in a workspace on this device, newest first. */
export function recentSearchesOf(workspaceId: string): Store<readonly string[]> {
  const known = stores.get(workspaceId);
  if (known !== undefined) return known;
  const store = createKept(`stoa.searches.${workspaceId}`, parseRecentFiles, JSON.stringify);
  stores.set(workspaceId, store);
  return store;
}

export function keepRecentSearch(workspaceId: string, query: string): void {
  const store = recentSearchesOf(workspaceId);
  if (query === '' || store.get()[0] === query) return;
  store.set(withRecentFile(store.get(), query).slice(0, recentSearchesMax));
}
