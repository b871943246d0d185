/** Where a request comes from, by the W3C's Trace Context. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether its sender follows it. */
  readonly isFollowed: boolean;
}

/** Two versions of the header are alike in what is read here; `ff` is none. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longer ones are of no version that there is. */
const charactersMax = 256;
const followedFlag = 1;

/** @returns null for none, and for one that is not as the standard has it: that counts for nothing. */
export function parseTraceParent(header: string | null): TraceParent | null {
  if (header === null || header.length > charactersMax) return null;
  const [, traceId, spanId, flags, more] = form.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (more !== undefined && header.startsWith('00')) return null;
  return { traceId, spanId, isFollowed: (Number.parseInt(flags, 16) & followedFlag) !== 0 };
}
