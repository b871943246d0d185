import { holdConflict } from './conflict.ts';
import { textChanged } from './local-text.ts';
import type { PutResponse, Step } from './messages.ts';
import { failed, landed, pauseAfter } from './requests.ts';
import { type BlockReason, fullRetryMs, type Sending } from './state.ts';

export function onPutResponded<Doc>(step: Step<Doc>, id: number, response: PutResponse): void {
  const { sending, unsureSince } = step.state;
  if (sending === null || sending.id !== id || unsureSince !== null) return;
  switch (response.kind) {
    case 'saved':
      saved(step, sending, response);
      return;
    case 'refused':
      lostRace(step, response.currentVersion);
      return;
    case 'kept_aside':
      keptInQuarantine(step, sending, response);
      return;
    case 'taken':
      // Another user created a file at the path of the deleted one.
      step.set({ sending: null, hold: null });
      lostRace(step, 1);
      return;
    case 'too_large':
      blocked(step, { kind: 'too_large', limitBytes: response.limitBytes });
      return;
    case 'full':
      blocked(step, { kind: 'full', againAt: step.nowMs + fullRetryMs });
      return;
    case 'read_only':
      blocked(step, { kind: 'read_only' });
      return;
    case 'rejected':
      blocked(step, { kind: 'message', message: response.message });
      return;
    case 'lost':
      step.set({
        unsureSince: step.nowMs,
        retryAt: step.nowMs + response.pauseMs,
        failures: step.state.failures + 1,
      });
      return;
    case 'signed_out':
      // Treated as lost once the same user signs in again.
      step.set({ unsureSince: step.nowMs, link: { kind: 'signed_out' } });
      return;
    case 'busy':
      step.set({ sending: null });
      textChanged(step);
      failed(step, response);
      return;
    case 'gone':
      if (sending.aim === 'aside' && sending.path !== step.state.path) {
        // The copy is gone: create another one.
        step.set({ sending: null });
        if (step.state.hold?.kind === 'conflict') step.set({ hold: { ...step.state.hold, copy: null } });
        return;
      }
      step.set({ sending: null });
      // The user may lack access to the old path but not to the new one.
      if (sending.path === step.state.path) failed(step, response);
      else textChanged(step);
      return;
  }
}

function saved<Doc>(
  step: Step<Doc>,
  sending: Sending<Doc>,
  { version, hash, isNew }: { readonly version: number; readonly hash: string; readonly isNew: boolean },
): void {
  if (sending.aim === 'aside') {
    conflictAfterCopy(step, sending, { version, hash });
    return;
  }
  const isElsewhere = sending.path !== step.state.path;
  if (isNew && (isElsewhere || sending.precondition.kind === 'version'))
    step.say({ kind: 'brought_back', path: sending.path });
  if (isNew && isElsewhere) {
    // The file has moved: send the text to the new path as well.
    step.set({ sending: null, unsureSince: null, failures: 0 });
    textChanged(step);
    return;
  }
  if (isNew && sending.precondition.kind === 'version') {
    const { hold } = step.state;
    if (sending.echo?.isDeleted !== true)
      step.set({ pendingDelete: null, known: [], hold: hold?.kind === 'deleted' ? null : hold });
  }
  landed(step, sending, sending.echo?.version ?? version, hash);
}

/** Another client wrote first: read its version. After several lost races in a row, pause first. */
function lostRace<Doc>(step: Step<Doc>, currentVersion: number): void {
  const { state, nowMs } = step;
  const races = state.races + 1;
  step.set({
    sending: null,
    foreign: state.foreign ?? { seq: state.feedSeq, version: currentVersion, hash: null, who: null },
    races,
    failures: 0,
    retryAt: pauseAfter(races, nowMs),
  });
  textChanged(step);
}

function keptInQuarantine<Doc>(
  step: Step<Doc>,
  sending: Sending<Doc>,
  response: { readonly currentVersion: number; readonly copyPath: string; readonly hash: string },
): void {
  const copy = { path: response.copyPath, version: 1, hash: response.hash, doc: sending.doc };
  step.set({ sending: null, failures: 0 });
  if (sending.aim !== 'aside') {
    const { foreign, feedSeq } = step.state;
    step.set({
      foreign: foreign ?? { seq: feedSeq, version: response.currentVersion, hash: null, who: null },
    });
  }
  holdConflict(step, { theirs: null, copy });
}

function blocked<Doc>(step: Step<Doc>, reason: BlockReason): void {
  const { hold } = step.state;
  step.set({ sending: null, failures: 0 });
  if (hold?.kind === 'conflict') {
    // Once per text: the user must choose again or change the text.
    step.set({ hold: { ...hold, wanted: null, safeDueAt: null, rejectedFor: reason } });
    return;
  }
  if (hold?.kind === 'deleted') step.set({ hold: { ...hold, wanted: false, rejectedFor: reason } });
  else step.set({ hold: { kind: 'blocked', reason } });
  textChanged(step);
}

/** A PUT to a copy succeeded. */
export function conflictAfterCopy<Doc>(
  step: Step<Doc>,
  sending: Sending<Doc>,
  { version, hash }: { readonly version: number; readonly hash: string },
): void {
  const { hold, path } = step.state;
  if (sending.path === path) {
    // The version that should have been stale was current: the file has this text now.
    if (hold?.kind === 'conflict') step.set({ hold: null });
    landed(step, sending, version, hash);
    return;
  }
  step.set({ sending: null, unsureSince: null, failures: 0 });
  holdConflict(step, { theirs: null, copy: { path: sending.path, version, hash, doc: sending.doc } });
}
