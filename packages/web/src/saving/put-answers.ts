import { holdConflict } from './conflict.ts';
import { textChanged } from './local-text.ts';
import type { PutAnswer, Turn } from './messages.ts';
import { failed, landed, pauseAfter } from './requests.ts';
import { type BlockReason, fullRetryMs, type Sending } from './state.ts';

export function onPutAnswered<Doc>(turn: Turn<Doc>, id: number, answer: PutAnswer): void {
  const { sending, unsureSince } = turn.state;
  if (sending === null || sending.id !== id || unsureSince !== null) return;
  switch (answer.kind) {
    case 'saved':
      saved(turn, sending, answer);
      return;
    case 'refused':
      lostRace(turn, answer.currentVersion);
      return;
    case 'kept_aside':
      keptAside(turn, sending, answer);
      return;
    case 'taken':
      // Another user created a file at the path of the deleted one.
      turn.set({ sending: null, hold: null });
      lostRace(turn, 1);
      return;
    case 'too_large':
      blocked(turn, { kind: 'too_large', limitBytes: answer.limitBytes });
      return;
    case 'full':
      blocked(turn, { kind: 'full', againAt: turn.nowMs + fullRetryMs });
      return;
    case 'read_only':
      blocked(turn, { kind: 'read_only' });
      return;
    case 'rejected':
      blocked(turn, { kind: 'message', message: answer.message });
      return;
    case 'lost':
      turn.set({
        unsureSince: turn.nowMs,
        retryAt: turn.nowMs + answer.pauseMs,
        failures: turn.state.failures + 1,
      });
      return;
    case 'signed_out':
      // Treated as lost once the same user signs in again.
      turn.set({ unsureSince: turn.nowMs, link: { kind: 'signed_out' } });
      return;
    case 'busy':
      turn.set({ sending: null });
      textChanged(turn);
      failed(turn, answer);
      return;
    case 'gone':
      if (sending.aim === 'aside' && sending.path !== turn.state.path) {
        // The copy is gone: create another one.
        turn.set({ sending: null });
        if (turn.state.hold?.kind === 'conflict') turn.set({ hold: { ...turn.state.hold, copy: null } });
        return;
      }
      turn.set({ sending: null });
      // The user may lack access to the old path but not to the new one.
      if (sending.path === turn.state.path) failed(turn, answer);
      else textChanged(turn);
      return;
  }
}

function saved<Doc>(
  turn: Turn<Doc>,
  sending: Sending<Doc>,
  { version, hash, isNew }: { readonly version: number; readonly hash: string; readonly isNew: boolean },
): void {
  if (sending.aim === 'aside') {
    conflictAfterAside(turn, sending, { version, hash });
    return;
  }
  const isElsewhere = sending.path !== turn.state.path;
  if (isNew && (isElsewhere || sending.precondition.kind === 'version'))
    turn.say({ kind: 'brought_back', path: sending.path });
  if (isNew && isElsewhere) {
    // The file has moved: send the text to the new path as well.
    turn.set({ sending: null, unsureSince: null, failures: 0 });
    textChanged(turn);
    return;
  }
  if (isNew && sending.precondition.kind === 'version') {
    const { hold } = turn.state;
    if (sending.echo?.isDeleted !== true)
      turn.set({ pendingDelete: null, known: [], hold: hold?.kind === 'deleted' ? null : hold });
  }
  landed(turn, sending, sending.echo?.version ?? version, hash);
}

/** Another client wrote first: read its version. After several lost races in a row, pause first. */
function lostRace<Doc>(turn: Turn<Doc>, currentVersion: number): void {
  const { state, nowMs } = turn;
  const races = state.races + 1;
  turn.set({
    sending: null,
    foreign: state.foreign ?? { seq: state.feedSeq, version: currentVersion, hash: null, who: null },
    races,
    failures: 0,
    retryAt: pauseAfter(races, nowMs),
  });
  textChanged(turn);
}

function keptAside<Doc>(
  turn: Turn<Doc>,
  sending: Sending<Doc>,
  answer: { readonly currentVersion: number; readonly copyPath: string; readonly hash: string },
): void {
  const copy = { path: answer.copyPath, version: 1, hash: answer.hash, doc: sending.doc };
  turn.set({ sending: null, failures: 0 });
  if (sending.aim !== 'aside') {
    const { foreign, feedSeq } = turn.state;
    turn.set({ foreign: foreign ?? { seq: feedSeq, version: answer.currentVersion, hash: null, who: null } });
  }
  holdConflict(turn, { theirs: null, copy });
}

function blocked<Doc>(turn: Turn<Doc>, reason: BlockReason): void {
  const { hold } = turn.state;
  turn.set({ sending: null, failures: 0 });
  if (hold?.kind === 'conflict') {
    // Once per text: the user must choose again or change the text.
    turn.set({ hold: { ...hold, wanted: null, safeDueAt: null, refusedFor: reason } });
    return;
  }
  if (hold?.kind === 'deleted') turn.set({ hold: { ...hold, wanted: false, refusedFor: reason } });
  else turn.set({ hold: { kind: 'blocked', reason } });
  textChanged(turn);
}

/** A PUT to a copy succeeded. */
export function conflictAfterAside<Doc>(
  turn: Turn<Doc>,
  sending: Sending<Doc>,
  { version, hash }: { readonly version: number; readonly hash: string },
): void {
  const { hold, path } = turn.state;
  if (sending.path === path) {
    // The version that should have been stale was current: the file has this text now.
    if (hold?.kind === 'conflict') turn.set({ hold: null });
    landed(turn, sending, version, hash);
    return;
  }
  turn.set({ sending: null, unsureSince: null, failures: 0 });
  holdConflict(turn, { theirs: null, copy: { path: sending.path, version, hash, doc: sending.doc } });
}
