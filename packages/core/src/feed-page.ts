/** After a restore the seqs of a workspace jump by a multiple of this. There are no other gaps. */
export const restoreJumpSeqs = 1_000_000;

/** Earlier than any installation that could be restored. */
const jumpsCountedFrom = Date.UTC(2026, 0, 1);
/** A clock beyond this is wrong, and would give numbers that JSON does not represent exactly. */
const jumpsCountedTo = Date.UTC(2200, 0, 1);

/**
 * Returns the head of a workspace after its database was restored to an earlier time. It is above every seq assigned
 * after that time, including those assigned after earlier restores of the same backup. These seqs are unknown now, but
 * no workspace assigns `restoreJumpSeqs` of them in a second, so the elapsed seconds give a safe number.
 * @param head of the restored database.
 * @param now milliseconds since the epoch. Even with a wrong clock the head jumps at least once.
 */
export function headAfterRestore(head: number, now: number): number {
  const jumped = Math.floor((Math.min(now, jumpsCountedTo) - jumpsCountedFrom) / 1000) * restoreJumpSeqs;
  return head + Math.max(1, Math.ceil((jumped - head) / restoreJumpSeqs)) * restoreJumpSeqs;
}

/**
 * Whether `head` is so far above the last seq read that the database must have been restored. Half a jump is enough,
 * because the backup is older than the last read.
 */
export function hasJumped(lastSeq: number, head: number): boolean {
  return head - lastSeq >= restoreJumpSeqs / 2;
}

/** A scan of one page of a workspace's feed. `sinceSeq` is the cursor: the highest `seq` already handled. */
export interface FeedScan {
  readonly sinceSeq: number;
  /** The workspace's latest seq in the snapshot of the scan. */
  readonly head: number;
  readonly limit: number;
  /** Seqs of the scanned changes, visible or not, ascending, at most `limit` of them. */
  readonly scannedSeqs: readonly number[];
}

/**
 * Returns the cursor after a page. It skips changes that the caller may not see, becomes `head` if the scan reached the
 * end, and never decreases: a cursor above `head` stays.
 */
export function nextSeqAfter(scan: FeedScan): number {
  if (scan.limit === 0) return scan.sinceSeq;
  const last = scan.scannedSeqs.at(-1);
  const reachedEnd = scan.scannedSeqs.length < scan.limit;
  if (reachedEnd || last === undefined) return Math.max(scan.sinceSeq, scan.head);
  return last;
}
