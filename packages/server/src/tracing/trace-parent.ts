/** The sender of a request, as in the W3C Trace Context. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether its sender traces it. */
  readonly isFollowed: boolean;
}

/** All versions of the header share these fields; `ff` is not a version. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** No existing version is longer. */
const charactersMax = 256;
const followedFlag = 1;

/** Parses the header. @returns null without a header or for an invalid one, which is ignored */
export function parseTraceParent(header: string | null): TraceParent | null {
  if (header === null || header.length > charactersMax) return null;
  const [, traceId, spanId, flags, more] = form.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (more !== undefined && header.startsWith('00')) return null;
  return { traceId, spanId, isFollowed: (Number.parseInt(flags, 16) & followedFlag) !== 0 };
}
