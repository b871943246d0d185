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

/** Sends the current text. Later edits wait for the response. */
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

/** Sends the same bytes with the same precondition. Harmless if the first attempt landed. */
export function sendAgain<Doc>(turn: Turn<Doc>): void {
  const { sending, path, base, hold } = turn.state;
  if (sending === null) return;
  const id = turn.takeId();
  const copy = hold?.kind === 'conflict' ? hold.copy : null;
  const isForCopy = sending.aim === 'aside' && copy?.path === sending.path;
  // If the file has moved, its version number differs but its text does not.
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

/** A closing page aborts its requests, so the running PUT is sent again with `keepalive`. */
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

/** Handles the failure of any request. */
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
        // Only a busy server recovers on its own, so being signed out takes precedence.
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
      // Its page is about to be replaced. Only the draft will have the latest edits.
      wantDraftNow(turn);
      return;
  }
}

/** The running PUT created this version. */
export function landed<Doc>(turn: Turn<Doc>, sending: Sending<Doc>, version: number, hash: string): void {
  const { base, hold, path } = turn.state;
  const isBack = sending.aim === 'again' && sending.echo?.isDeleted !== true;
  // If the feed reported it already, or it landed before a move, the same number and hash would be a new change.
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

/**
 * Sends a deliberately stale PUT, so that the server names the copy and pairs it with the file. If a copy exists, sends
 * the newer text to it.
 */
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
 * Records a version on which the text is based, so that its late change record is not taken for a new one. Recorded at
 * once: later the file may have been deleted, and its numbers mean other versions.
 */
export function remember<Doc>(turn: Turn<Doc>, { version, hash }: Known): void {
  turn.set({ known: [...turn.state.known, { version, hash }].slice(-knownMax) });
}
