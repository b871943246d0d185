/** When a backup is put back the seqs of a workspace jump by a multiple of this: no other gaps come about. */
export const restoreJumpSeqs = 1_000_000;

/** Before any installation that could be restored. */
const jumpsCountedFrom = Date.UTC(2026, 0, 1);
/** A clock beyond this is wrong, and would bring numbers that JSON does not hold exactly. */
const jumpsCountedTo = Date.UTC(2200, 0, 1);

/**
 * The head of a workspace after its database was put back to an earlier time: above every seq that was given out after that
 * time, also by what was restored from the same backup before. Nobody knows these any more, but no life of a workspace gives
 * out as many as `restoreJumpSeqs` in a second, so counting the seconds is enough.
 * @param head of the database that was put back.
 * @param now milliseconds since the epoch. A clock that is wrong is no reason to go on at the same number: the head jumps once
 * at least.
 */
export function headAfterRestore(head: number, now: number): number {
  const jumped = Math.floor((Math.min(now, jumpsCountedTo) - jumpsCountedFrom) / 1000) * restoreJumpSeqs;
  return head + Math.max(1, Math.ceil((jumped - head) / restoreJumpSeqs)) * restoreJumpSeqs;
}

/** Whether a head so far above what was read last tells of a restore: a backup is older than what was read since. */
export function hasJumped(lastSeq: number, head: number): boolean {
  return head - lastSeq >= restoreJumpSeqs / 2;
}

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
