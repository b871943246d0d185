// docs/decisions/0067-bytes-are-read-again.md
import { faultOf } from '../contents/find-fault.ts';
import { quarantineScript } from '../contents/quarantine.ts';
import type { CheckedContent } from '../ports/checks.ts';
import { defineScript } from '../ports/script.ts';
import type { ContentFault, ScrubState } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type BringBack, mendContent } from './mend-contents.ts';

export type ScrubDeps = Pick<ServiceDeps, 'store' | 'blobs' | 'clock'>;

export interface ScrubFinding {
  readonly workspaceId: string;
  readonly contentHash: string;
  readonly fault: ContentFault;
  /** Whether a backup had the right bytes; else the content was put aside. */
  readonly isMended: boolean;
}

export interface ScrubTurn {
  /** Names the node among all. */
  readonly holder: string;
  /** Every byte is read again within so long. */
  readonly withinMs: number;
  /** Null where no backup is named. */
  readonly bringBack: BringBack | null;
  readonly found: (finding: ScrubFinding) => void;
  readonly reportProblem: (message: string, cause: unknown) => void;
  /** A disk that is not mounted has none of its objects: nothing is put aside for that. */
  readonly isPlaceThere: () => Promise<boolean>;
  /** Waits, or until `signal`. */
  readonly rest: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** How long a node that died keeps the turn from others. Longer than the longest rest. */
const turnMs = 10 * 60 * 1000;
const restMsMax = 60 * 1000;
const noteEveryMs = 60 * 1000;
/** Small contents are up to 64 KiB each. */
const pageRows = 16;
/** Slower than this saves nothing. */
const bytesPerSecondMin = 256 * 1024;
/** Faster than this takes the disk from the requests, also while one large content is read. */
const bytesPerSecondMax = 32 * 1024 * 1024;
/** Said while a content is read: another node has the turn, or this one stops. */
const turnOver = new Error('the turn is over');
/** What looking for one content costs beside its bytes. */
const contentCostBytes = 4096;

interface TakeCommand {
  readonly holder: string;
  readonly now: number;
  readonly heldUntil: number;
}

export const takeScrubScript = defineScript<TakeCommand, boolean>(
  'scrub.take',
  async (tx, turn) => await tx.write.takeScrub(turn),
);

interface NoteCommand {
  readonly holder: string;
  readonly state: ScrubState;
}

export const noteScrubScript = defineScript<NoteCommand, boolean>(
  'scrub.note',
  async (tx, { holder, state }) => await tx.write.noteScrub(holder, state),
);

/**
 * Reads what is stored from where the last turn ended, unless another node has the turn, to the end of the round. A round is
 * begun anew when half the time is over since the last one began: so no byte is left longer than the whole time, even where
 * one round was quick and the next is slow. Where it has come is noted once a minute, also while one content is read, and when
 * it ends. A time that lies in the future was written by a clock that was ahead, and says nothing.
 * @throws WorkspaceError `overloaded` when a store elsewhere cannot be reached: it goes on there in the next turn.
 */
export async function scrubTurn(deps: ScrubDeps, turn: ScrubTurn): Promise<void> {
  const { store, clock } = deps;
  const { holder, withinMs, rest, signal } = turn;
  const take = () => {
    const now = clock();
    return store.transact(takeScrubScript, { holder, now, heldUntil: now + turnMs });
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
  let notedAt = clock();
  const note = async () => {
    notedAt = clock();
    return (await take()) && (await store.transact(noteScrubScript, { holder, state }));
  };
  const pause = async (milliseconds: number) => {
    if (signal.aborted) throw turnOver;
    await rest(milliseconds);
    // A clock may be put back meanwhile.
    if (Math.abs(clock() - notedAt) >= noteEveryMs && !(await note())) throw turnOver;
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
        const isWrong = await readAgain(deps, content, turn, pause);
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
    if (error !== turnOver) throw error;
  } finally {
    await note();
  }
}

function pastOrNull(time: number | null, now: number): number | null {
  return time !== null && time <= now ? time : null;
}

/** Reads one content, and a wrong one twice. @param pause throws when the turn is over. @returns whether it was wrong. */
async function readAgain(
  deps: ScrubDeps,
  content: CheckedContent,
  { bringBack, found, isPlaceThere, reportProblem }: ScrubTurn,
  pause: (milliseconds: number) => Promise<void>,
): Promise<boolean> {
  const { store, blobs, clock } = deps;
  const { workspaceId, contentHash, generation } = content;
  const slowly = (bytes: number) => pause((bytes / bytesPerSecondMax) * 1000);
  const first = await faultOf(blobs, content, true, slowly);
  if (first === null) return false;
  const fault = await faultOf(blobs, content, true, slowly);
  if (fault === null) return false;
  if (fault === 'stored_bytes_missing' && !(await isPlaceThere())) {
    throw new Error('the place of the large contents is not there, or is another: nothing was put aside');
  }
  let isMended = false;
  try {
    isMended = bringBack !== null && (await mendContent(deps, content, fault, bringBack));
  } catch (error) {
    // A backup that cannot be read is no reason to stay here: the content is put aside.
    reportProblem('a content could not be brought back from the backup', error);
  }
  if (!isMended) {
    const command = { workspaceId, contentHash, generation, fault, now: clock() };
    // Somebody may have mended it meanwhile.
    if (!(await store.transact(quarantineScript, command))) return false;
  }
  found({ workspaceId, contentHash, fault, isMended });
  return true;
}
