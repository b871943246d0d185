/**
 * How far the seqs of a workspace jump when a backup is put back: further than any that was given out after the backup was
 * made, which nobody knows any more. Gaps of a multiple of this, and no others, come about.
 */
export const restoreJumpSeqs = 1_000_000;

/** A cursor into a workspace's feed: the highest `seq` already handled. */
export interface FeedScan {
  readonly sinceSeq: number;
  /** The workspace's latest seq in the snapshot of the scan. */
  readonly head: number;
  readonly limit: number;
  /** Seqs of the changes that were scanned, visible or not, ascending, at most `limit` of them. */
  readonly scannedSeqs: readonly number[];
}

/**
 * The cursor after a page. It passes over changes that the caller may not see, reaches `head` when the scan reached
 * the end, and never goes back: a cursor above `head` is answered with itself.
 */
export function nextSeqAfter(scan: FeedScan): number {
  if (scan.limit === 0) return scan.sinceSeq;
  const last = scan.scannedSeqs.at(-1);
  const reachedEnd = scan.scannedSeqs.length < scan.limit;
  if (reachedEnd || last === undefined) return Math.max(scan.sinceSeq, scan.head);
  return last;
}
