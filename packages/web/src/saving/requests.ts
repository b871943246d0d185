import { retryPauseMs } from '@stoa/client';
import { choiceLanded } from './conflict.ts';
import { textChanged, wantDraftNow } from './local-text.ts';
import type { Failure, Step } from './messages.ts';
import {
  type Aim,
  type Known,
  keepaliveMaxBytes,
  knownMax,
  type Precondition,
  racesMax,
  type Sending,
} from './state.ts';

/** Sends the current text. Later edits wait for the response. */
export function startPut<Doc>(
  step: Step<Doc>,
  {
    aim,
    path,
    precondition,
    rejectStale: reject,
  }: {
    readonly aim: Aim;
    readonly path: string;
    readonly precondition: Precondition;
    readonly rejectStale: boolean;
  },
): void {
  const id = step.takeId();
  const { doc, generation } = step.state;
  const sending = {
    id,
    aim,
    path,
    doc,
    generation,
    precondition,
    rejectStale: reject,
    keepalive: mayOutlive(step, doc),
    since: step.nowMs,
    hash: null,
    echo: null,
  };
  step.set({ sending, dueAt: null, dirtySince: null, retryAt: null });
  doPut(step, sending);
}

/** Sends the same bytes with the same precondition. Harmless if the first attempt landed. */
export function sendAgain<Doc>(step: Step<Doc>): void {
  const { sending, path, base, hold } = step.state;
  if (sending === null) return;
  const id = step.takeId();
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
    keepalive: mayOutlive(step, sending.doc),
    since: step.nowMs,
  };
  step.set({ sending: again, unsureSince: null, retryAt: null });
  doPut(step, again);
}

/** A closing page aborts its requests, so the running PUT is sent again with `keepalive`. */
export function outlive<Doc>(step: Step<Doc>): void {
  const { sending, foreign } = step.state;
  if (sending === null || sending.keepalive || foreign !== null) return;
  if (mayOutlive(step, sending.doc)) sendAgain(step);
}

function mayOutlive<Doc>(step: Step<Doc>, doc: Doc): boolean {
  return step.state.mayClose && step.docs.byteLength(doc) <= keepaliveMaxBytes;
}

function doPut<Doc>(step: Step<Doc>, sending: Sending<Doc>): void {
  const { id, path, doc, precondition, rejectStale: reject, keepalive } = sending;
  step.do({
    kind: 'put',
    id,
    path,
    doc,
    contentType: step.state.contentType,
    precondition,
    rejectStale: reject,
    keepalive,
  });
}

export function onPutHashed<Doc>(step: Step<Doc>, id: number, hash: string): void {
  const { sending } = step.state;
  if (sending?.id === id) step.set({ sending: { ...sending, hash } });
}

/** Handles the failure of any request. */
export function failed<Doc>(step: Step<Doc>, failure: Failure): void {
  const { nowMs } = step;
  switch (failure.kind) {
    case 'lost':
      step.set({ retryAt: nowMs + failure.pauseMs, failures: step.state.failures + 1 });
      return;
    case 'busy': {
      const until = nowMs + failure.pauseMs;
      const { link, failures } = step.state;
      step.set({
        // Only a busy server recovers on its own, so being signed out takes precedence.
        link: link.kind === 'signed_out' ? link : { kind: 'offline', until },
        retryAt: until,
        failures: failures + 1,
      });
      return;
    }
    case 'signed_out':
      step.set({ link: { kind: 'signed_out' } });
      return;
    case 'gone':
      step.set({
        hold: { kind: 'gone' },
        sending: null,
        unsureSince: null,
        foreign: null,
        reading: null,
        merging: null,
        dueAt: null,
      });
      // Its page is about to be replaced. Only the draft will have the latest edits.
      wantDraftNow(step);
      return;
  }
}

/** The running PUT created this version. */
export function landed<Doc>(step: Step<Doc>, sending: Sending<Doc>, version: number, hash: string): void {
  const { base, hold, path } = step.state;
  const isBack = sending.aim === 'again' && sending.echo?.isDeleted !== true;
  // If the feed reported it already, or it landed before a move, the same number and hash would be a new change.
  if (sending.echo === null && sending.path === path) remember(step, { version, hash });
  step.set({
    base: { version, hash, doc: sending.doc, seq: Math.max(base.seq, sending.echo?.seq ?? 0) },
    sending: null,
    unsureSince: null,
    failures: 0,
    races: 0,
    retryAt: null,
    hold: isBack && hold?.kind === 'deleted' ? null : hold,
  });
  choiceLanded(step, sending, version);
  textChanged(step);
  if (step.state.wasAsked && !step.isDirty) {
    step.set({ wasAsked: false });
    step.say({ kind: 'saved' });
  }
}

export function pauseAfter(races: number, nowMs: number): number | null {
  return races < racesMax ? null : nowMs + retryPauseMs(races - racesMax + 2, null, 1);
}

/**
 * Sends a deliberately stale PUT, so that the server names the copy and pairs it with the file. If a copy exists, sends
 * the newer text to it.
 */
export function startKeeping<Doc>(step: Step<Doc>): void {
  const { hold, base, path } = step.state;
  if (hold?.kind !== 'conflict') return;
  const { copy } = hold;
  const { version, hash } = copy ?? base;
  startPut(step, {
    aim: 'aside',
    path: copy?.path ?? path,
    precondition: { kind: 'version', version, hash },
    rejectStale: false,
  });
}

export function startReading<Doc>(step: Step<Doc>): void {
  const id = step.takeId();
  const { feedSeq, path, foreign } = step.state;
  step.set({ reading: { stage: 'file', id, seq: feedSeq }, retryAt: null });
  step.do({ kind: 'read', id, path, withWho: foreign === null || foreign.who === null });
}

/**
 * Records a version on which the text is based, so that its late change record is not taken for a new one. Recorded at
 * once: later the file may have been deleted, and its numbers mean other versions.
 */
export function remember<Doc>(step: Step<Doc>, { version, hash }: Known): void {
  step.set({ known: [...step.state.known, { version, hash }].slice(-knownMax) });
}
