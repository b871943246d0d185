import type { ContentHash } from '@stoa/core';
import type { ContentIndex } from '../ports/content-index.ts';

/** Cache of contents that the index stores as not text. It never expires, because a content never changes. */
export interface KnownNotText {
  read(workspaceId: string): Promise<ReadonlySet<ContentHash>>;
}

const keptMax = 200_000;

export function createKnownNotText(index: ContentIndex): KnownNotText {
  /** Least recently used first. */
  const known = new Map<string, { last: number; readonly hashes: Set<ContentHash> }>();
  let kept = 0;
  return {
    async read(workspaceId) {
      const found = known.get(workspaceId) ?? { last: 0, hashes: new Set<ContentHash>() };
      known.delete(workspaceId);
      known.set(workspaceId, found);
      for (;;) {
        const { hashes, last } = await index.notText(workspaceId, found.last);
        if (hashes.length === 0) break;
        for (const hash of hashes) found.hashes.add(hash);
        found.last = last;
        kept += hashes.length;
      }
      for (const [oldest, { hashes }] of known) {
        if (kept <= keptMax || oldest === workspaceId) break;
        known.delete(oldest);
        kept -= hashes.size;
      }
      return found.hashes;
    },
  };
}
