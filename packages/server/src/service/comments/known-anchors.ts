import type { ContentHash, ResolvedAnchor } from '@stoa/core';

/** Where threads' anchors are in contents seen lately: computing it again would answer the same. */
export interface KnownAnchors {
  find(threadId: string, contentHash: ContentHash): ResolvedAnchor | null;
  keep(threadId: string, contentHash: ContentHash, anchor: ResolvedAnchor): void;
}

/** About 100,000 short anchors. */
const bytesMax = 32 * 1024 * 1024;
const anchorBytes = 300;

export function createKnownAnchors(limits: { readonly bytesMax: number } = { bytesMax }): KnownAnchors {
  /** Least recently used first. */
  const kept = new Map<string, ResolvedAnchor>();
  let bytes = 0;

  function drop(key: string): void {
    const anchor = kept.get(key);
    if (anchor === undefined) return;
    kept.delete(key);
    bytes -= bytesOf(anchor);
  }

  return {
    find(threadId, contentHash) {
      const key = keyOf(threadId, contentHash);
      const anchor = kept.get(key);
      if (anchor === undefined) return null;
      kept.delete(key);
      kept.set(key, anchor);
      return anchor;
    },
    keep(threadId, contentHash, anchor) {
      const key = keyOf(threadId, contentHash);
      drop(key);
      kept.set(key, anchor);
      bytes += bytesOf(anchor);
      for (const oldest of kept.keys()) {
        if (bytes <= limits.bytesMax) return;
        drop(oldest);
      }
    },
  };
}

/** A thread is pinned to the same bytes for ever, so these two decide. */
function keyOf(threadId: string, contentHash: ContentHash): string {
  return `${threadId} ${contentHash}`;
}

function bytesOf({ currentText }: ResolvedAnchor): number {
  return anchorBytes + 2 * (currentText?.length ?? 0);
}
