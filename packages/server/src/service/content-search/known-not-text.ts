import type { ContentHash } from '@stoa/core';
import type { ContentIndex } from '../ports/content-index.ts';

/** Contents that are not text, as the index remembers them. What bytes are never changes, so nothing here gets old. */
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
