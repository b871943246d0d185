/** Values of recently used workspaces. The last one is kept whatever its size. */
export interface RecentlyUsed<Value> {
  get(workspaceId: string): Value | undefined;
  set(workspaceId: string, value: Value): void;
}

/** Each value counts as one more than its size, so that the number of empty ones is bounded. */
export function createRecentlyUsed<Value>(
  sizeMax: number,
  sizeOf: (value: Value) => number,
): RecentlyUsed<Value> {
  /** Least recently used first. */
  const kept = new Map<string, Value>();
  return {
    get: (workspaceId) => kept.get(workspaceId),
    set(workspaceId, value) {
      kept.delete(workspaceId);
      kept.set(workspaceId, value);
      let size = 0;
      for (const each of kept.values()) size += sizeOf(each) + 1;
      for (const [oldest, each] of kept) {
        if (size <= sizeMax || oldest === workspaceId) return;
        kept.delete(oldest);
        size -= sizeOf(each) + 1;
      }
    },
  };
}
