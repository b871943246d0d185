// docs/decisions/0005-where-bytes-live.md
import { faultOf } from '../contents/find-fault.ts';
import { quarantineScript } from '../contents/quarantine.ts';
import type { CheckedContent } from '../ports/checks.ts';
import { defineScript } from '../ports/script.ts';
import type { ContentFault, ScrubState } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type BringBack, repairContent } from './repair-contents.ts';

export type ScrubDeps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock'>;

export interface ScrubFinding {
  readonly workspaceId: string;
  readonly contentHash: string;
  readonly fault: ContentFault;
  /** Whether a backup had the right bytes; otherwise the content was quarantined. */
  readonly isRepaired: boolean;
}

export interface ScrubRound {
  readonly holder: string;
  /** Maximum time between two reads of the same byte. */
  readonly withinMs: number;
  /** Null without a backup. */
  readonly bringBack: BringBack | null;
  readonly found: (finding: ScrubFinding) => void;
  readonly reportProblem: (message: string, cause: unknown) => void;
  /** Whether the store is mounted: an unmounted disk has no objects, and nothing is quarantined because of that. */
  readonly isLocationThere: () => Promise<boolean>;
  /** Waits for the time, or until `signal`. */
  readonly rest: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Duration of the lease, and so of the delay after a node dies. Longer than the longest rest. */
const roundMs = 10 * 60 * 1000;
const restMsMax = 60 * 1000;
const recordEveryMs = 60 * 1000;
/** Small contents are up to 64 KiB each. */
const pageRows = 16;
/** Reading more slowly saves nothing. */
const bytesPerSecondMin = 256 * 1024;
/** Reading faster would slow down requests, even during a single large content. */
const bytesPerSecondMax = 32 * 1024 * 1024;
/** Thrown during a read when another node has the lease, or this one stops. */
const roundOver = new Error('the scrub lease ended');
/** Cost of locating one content, in addition to its bytes. */
const contentCostBytes = 4096;

interface TakeCommand {
  readonly holder: string;
  readonly now: number;
  readonly heldUntil: number;
}

export const takeScrubScript = defineScript<TakeCommand, boolean>(
  'scrub.take',
  async (tx, round) => await tx.write.takeScrub(round),
);

interface RecordCommand {
  readonly holder: string;
  readonly state: ScrubState;
}

export const recordScrubScript = defineScript<RecordCommand, boolean>(
  'scrub.note',
  async (tx, { holder, state }) => await tx.write.noteScrub(holder, state),
);

/**
 * Reads stored contents, from the last position to the end of the round, unless another node has the lease. A round
 * starts when half of the time has passed since the last one started. So no byte waits longer than the whole time, even
 * between a quick and a slow round. The position is stored once a minute, also during one content, and at the end. A
 * time in the future was written by a clock that ran ahead, and is ignored.
 * @throws WorkspaceError `overloaded` when a remote store is unreachable: the next run continues there.
 */
export async function scrubRound(deps: ScrubDeps, round: ScrubRound): Promise<void> {
  const { store, clock } = deps;
  const { holder, withinMs, rest, signal } = round;
  const take = () => {
    const now = clock();
    return store.transact(takeScrubScript, { holder, now, heldUntil: now + roundMs });
  };
  if (!(await take())) return;
  const kept = await store.reader.scrub.state();
  const now = clock();
  const verifiedSince = pastOrNull(kept.verifiedSince, now);
  let state: ScrubState = { ...kept, startedAt: pastOrNull(kept.startedAt, now), verifiedSince };
  if (state.startedAt === null) {
    if (verifiedSince !== null && now - verifiedSince < withinMs / 2) return;
    const after = { workspaceId: '', contentHash: '' };
    state = { ...state, startedAt: now, after, contents: 0, bytes: 0, wrong: 0 };
  }
  const { startedAt } = state;
  const { keptBytes } = await store.reader.scrub.figures();
  const bytesPerSecond = () => {
    const leftSeconds = ((startedAt ?? 0) + withinMs / 2 - clock()) / 1000;
    const wanted = leftSeconds <= 0 ? bytesPerSecondMax : (keptBytes - state.bytes) / leftSeconds;
    return Math.min(bytesPerSecondMax, Math.max(bytesPerSecondMin, wanted));
  };
  let recordedAt = clock();
  const note = async () => {
    recordedAt = clock();
    return (await take()) && (await store.transact(recordScrubScript, { holder, state }));
  };
  const pause = async (milliseconds: number) => {
    if (signal.aborted) throw roundOver;
    await rest(milliseconds);
    // The clock may have been set back.
    if (Math.abs(clock() - recordedAt) >= recordEveryMs && !(await note())) throw roundOver;
  };
  const payOff = async (bytes: number) => {
    let leftMs = ((bytes + contentCostBytes) / bytesPerSecond()) * 1000;
    for (; leftMs > 0; leftMs -= restMsMax) await pause(Math.min(leftMs, restMsMax));
  };

  try {
    for (;;) {
      const page = await store.reader.checks.contentsPage({
        after: state.after,
        limit: pageRows,
        withBytes: true,
      });
      if (page.length === 0) {
        state = { ...state, startedAt: null, verifiedSince: startedAt };
        return;
      }
      for (const content of page) {
        const isWrong = await readAgain(deps, content, round, pause);
        const { workspaceId, contentHash, sizeBytes } = content;
        state = {
          ...state,
          after: { workspaceId, contentHash },
          contents: state.contents + 1,
          bytes: state.bytes + sizeBytes,
          wrong: state.wrong + (isWrong ? 1 : 0),
        };
        await payOff(sizeBytes);
      }
    }
  } catch (error) {
    if (error !== roundOver) throw error;
  } finally {
    await note();
  }
}

function pastOrNull(time: number | null, now: number): number | null {
  return time !== null && time <= now ? time : null;
}

/**
 * Reads one content, and a faulty one twice. @param pause throws when the lease ends.
 * @returns whether it was faulty.
 */
async function readAgain(
  deps: ScrubDeps,
  content: CheckedContent,
  { bringBack, found, isLocationThere, reportProblem }: ScrubRound,
  pause: (milliseconds: number) => Promise<void>,
): Promise<boolean> {
  const { store, blobs, clock } = deps;
  const { workspaceId, contentHash, generation } = content;
  const slowly = (bytes: number) => pause((bytes / bytesPerSecondMax) * 1000);
  const first = await faultOf(blobs, content, true, slowly);
  if (first === null) return false;
  const fault = await faultOf(blobs, content, true, slowly);
  if (fault === null) return false;
  if (fault === 'stored_bytes_missing' && !(await isLocationThere())) {
    throw new Error('the blob store is missing or is a different one: nothing was quarantined');
  }
  let isRepaired = false;
  try {
    isRepaired = bringBack !== null && (await repairContent(deps, content, fault, bringBack));
  } catch (error) {
    // An unreadable backup must not block the scrub: the content is quarantined.
    reportProblem('a content could not be restored from the backup', error);
  }
  if (!isRepaired) {
    const command = { workspaceId, contentHash, generation, fault, now: clock() };
    // It may have been repaired in the meantime.
    if (!(await store.transact(quarantineScript, command))) return false;
  }
  found({ workspaceId, contentHash, fault, isRepaired });
  return true;
}
