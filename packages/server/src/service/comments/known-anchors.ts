import type { ContentHash, ResolvedAnchor } from '@stoa/core';
import { LRUCache } from 'lru-cache';

/** Cache of resolved anchors by thread and content. */
export interface KnownAnchors {
  find(threadId: string, contentHash: ContentHash): ResolvedAnchor | null;
  keep(threadId: string, contentHash: ContentHash, anchor: ResolvedAnchor): void;
}

/** About 100,000 short anchors. */
const bytesMax = 32 * 1024 * 1024;
const anchorBytes = 300;

export function createKnownAnchors(limits: { readonly bytesMax: number } = { bytesMax }): KnownAnchors {
  const kept = new LRUCache<string, ResolvedAnchor>({ maxSize: limits.bytesMax, sizeCalculation: bytesOf });
  return {
    find: (threadId, contentHash) => kept.get(keyOf(threadId, contentHash)) ?? null,
    keep: (threadId, contentHash, anchor) => void kept.set(keyOf(threadId, contentHash), anchor),
  };
}

/** A thread's pinned bytes never change, so these two determine the result. */
function keyOf(threadId: string, contentHash: ContentHash): string {
  return `${threadId} ${contentHash}`;
}

function bytesOf({ currentText }: ResolvedAnchor): number {
  return anchorBytes + 2 * (currentText?.length ?? 0);
}
