import type { Resolution } from '../service/ports/comments.ts';

/** Returns the resolution of a thread; all fields are null while it is open. */
export function resolutionRecord(resolution: Resolution | null) {
  return {
    resolvedAt: resolution === null ? null : new Date(resolution.at).toISOString(),
    resolvedAtVersion: resolution?.atVersion ?? null,
    resolvedBy: resolution?.userId ?? null,
  };
}
