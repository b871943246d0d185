import { createKept } from './kept.ts';
import type { Store } from './store.ts';

/** Enough to fill the palette without scrolling. */
export const recentFilesMax = 12;

/** Newest first, without duplicates. */
export function withRecentFile(recent: readonly string[], path: string): readonly string[] {
  return [path, ...recent.filter((other) => other !== path)].slice(0, recentFilesMax);
}

/** Parses the stored value, which may be anything. */
export function parseRecentFiles(stored: string | null): readonly string[] {
  if (stored === null) return [];
  try {
    const value: unknown = JSON.parse(stored);
    if (!Array.isArray(value)) return [];
    return value.filter((path) => typeof path === 'string').slice(0, recentFilesMax);
  } catch {
    return [];
  }
}

const stores = new Map<string, Store<readonly string[]>>();

/** The files last opened in a workspace on this device. */
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
