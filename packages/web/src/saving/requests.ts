import { choiceLanded } from './conflict.ts';
import { textChanged, wantDraftNow } from './local-text.ts';
import type { Failure, Turn } from './messages.ts';
import {
  type Aim,
  type Known,
  keepaliveMaxBytes,
  knownMax,
  type Precondition,
  pauseMaxMs,
  racesMax,
  type Sending,
} from './state.ts';

/** Sends the text as it stands. What is typed from now on waits for the answer. */
export function startPut<Doc>(
  turn: Turn<Doc>,
  {
    aim,
    path,
    precondition,
    refuse,
  }: {
    readonly aim: Aim;
    readonly path: string;
    readonly precondition: Precondition;
    readonly refuse: boolean;
  },
): void {
  const id = turn.takeId();
  const { doc, generation } = turn.state;
  const sending = {
    id,
    aim,
    path,
    doc,
    generation,
    precondition,
    refuse,
    keepalive: mayOutlive(turn, doc),
    since: turn.nowMs,
    hash: null,
    echo: null,
  };
  turn.set({ sending, dueAt: null, dirtySince: null, retryAt: null });
  doPut(turn, sending);
}

/** The same bytes with the same precondition: harmless if the first try landed after all. */
export function sendAgain<Doc>(turn: Turn<Doc>): void {
  const { sending, path, base, hold } = turn.state;
  if (sending === null) return;
  const id = turn.takeId();
  const copy = hold?.kind === 'conflict' ? hold.copy : null;
  const isForCopy = sending.aim === 'aside' && copy?.path === sending.path;
  // The file may have been moved meanwhile; then its version is another, and its text is not.
  const precondition: Precondition =
    sending.aim === 'save'
      ? { kind: 'version', version: base.version, hash: base.hash }
      : sending.precondition;
  const again = {
    ...sending,
    id,
    path: isForCopy ? sending.path : path,
    precondition,
    keepalive: mayOutlive(turn, sending.doc),
    since: turn.nowMs,
  };
  turn.set({ sending: again, unsureSince: null, retryAt: null });
  doPut(turn, again);
}

/** The page is being closed, and what is under way would end with it: the same goes out once more, to be carried on with. */
export function outlive<Doc>(turn: Turn<Doc>): void {
  const { sending, foreign } = turn.state;
  if (sending === null || sending.keepalive || foreign !== null) return;
  if (mayOutlive(turn, sending.doc)) sendAgain(turn);
}

function mayOutlive<Doc>(turn: Turn<Doc>, doc: Doc): boolean {
  return turn.state.mayClose && turn.docs.byteLength(doc) <= keepaliveMaxBytes;
}

function doPut<Doc>(turn: Turn<Doc>, sending: Sending<Doc>): void {
  const { id, path, doc, precondition, refuse, keepalive } = sending;
  turn.do({
    kind: 'put',
    id,
    path,
    doc,
    contentType: turn.state.contentType,
    precondition,
    refuse,
    keepalive,
  });
}

export function onPutHashed<Doc>(turn: Turn<Doc>, id: number, hash: string): void {
  const { sending } = turn.state;
  if (sending?.id === id) turn.set({ sending: { ...sending, hash } });
}

/** A request that came to nothing, of whichever kind. */
export function failed<Doc>(turn: Turn<Doc>, failure: Failure): void {
  const { nowMs } = turn;
  switch (failure.kind) {
    case 'lost':
      turn.set({ retryAt: nowMs + failure.pauseMs, failures: turn.state.failures + 1 });
      return;
    case 'busy': {
      const until = nowMs + failure.pauseMs;
      const { link, failures } = turn.state;
      turn.set({
        // That it ends by itself is true of a busy server only.
        link: link.kind === 'signed_out' ? link : { kind: 'offline', until },
        retryAt: until,
        failures: failures + 1,
      });
      return;
    }
    case 'signed_out':
      turn.set({ link: { kind: 'signed_out' } });
      return;
    case 'gone':
      turn.set({
        hold: { kind: 'gone' },
        sending: null,
        unsureSince: null,
        foreign: null,
        reading: null,
        merging: null,
        dueAt: null,
      });
      // Its page is about to be replaced, and nothing but the draft will have what was typed a moment ago.
      wantDraftNow(turn);
      return;
  }
}

/** The PUT under way made this version. */
export function landed<Doc>(turn: Turn<Doc>, sending: Sending<Doc>, version: number, hash: string): void {
  const { base, hold, path } = turn.state;
  const isBack = sending.aim === 'again' && sending.echo?.isDeleted !== true;
  // Told already, or landed before a move: that its number and hash come again would be news.
  if (sending.echo === null && sending.path === path) remember(turn, { version, hash });
  turn.set({
    base: { version, hash, doc: sending.doc, seq: Math.max(base.seq, sending.echo?.seq ?? 0) },
    sending: null,
    unsureSince: null,
    failures: 0,
    races: 0,
    retryAt: null,
    hold: isBack && hold?.kind === 'deleted' ? null : hold,
  });
  choiceLanded(turn, sending, version);
  textChanged(turn);
  if (turn.state.wasAsked && !turn.isDirty) {
    turn.set({ wasAsked: false });
    turn.say({ kind: 'saved' });
  }
}

export function pauseAfter(races: number, nowMs: number): number | null {
  return races < racesMax ? null : nowMs + Math.min(pauseMaxMs, 2 ** (races - racesMax + 1) * 1000);
}

/** A stale PUT on purpose, so that the server names and pairs the copy; or the newer text into the copy there is. */
export function startAside<Doc>(turn: Turn<Doc>): void {
  const { hold, base, path } = turn.state;
  if (hold?.kind !== 'conflict') return;
  const { copy } = hold;
  const { version, hash } = copy ?? base;
  startPut(turn, {
    aim: 'aside',
    path: copy?.path ?? path,
    precondition: { kind: 'version', version, hash },
    refuse: false,
  });
}

export function startReading<Doc>(turn: Turn<Doc>): void {
  const id = turn.takeId();
  const { feedSeq, path, foreign } = turn.state;
  turn.set({ reading: { stage: 'file', id, seq: feedSeq }, retryAt: null });
  turn.do({ kind: 'read', id, path, withWho: foreign === null || foreign.who === null });
}

/**
 * The text begins from this version now. Its record may come only when the base is another, and is no news then.
 * Remembered at once, not when it is replaced: by then the file may have been deleted and its numbers mean others.
 */
export function remember<Doc>(turn: Turn<Doc>, { version, hash }: Known): void {
  turn.set({ known: [...turn.state.known, { version, hash }].slice(-knownMax) });
}
