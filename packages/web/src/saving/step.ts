// docs/saving.md, docs/decisions/0020-saving-engine.md
import { takeChoice } from './conflict.ts';
import { believeDelete, onFeedChanges, onFeedReachedHead } from './feed.ts';
import {
  onClosed,
  onDraftFailed,
  onDraftStored,
  onEdited,
  onLeft,
  onSaveAsked,
  onShown,
  proceedWithDraft,
  wantDraftNow,
} from './local-text.ts';
import { type Event, Step, type Stepped } from './messages.ts';
import { proceed } from './proceed.ts';
import { onPutResponded } from './put-responses.ts';
import { onMerged, onReadResponded, onVersionsResponded } from './reading-theirs.ts';
import { failed, onPutHashed } from './requests.ts';
import { type Documents, deleteBelievedMs, draftWaitMs, type State, unsureShownMs } from './state.ts';

/**
 * The save engine, a pure reducer: state and event in, new state and effects out. No clock, no network, no randomness.
 * One engine per file and editor.
 */
export function step<Doc>(
  state: State<Doc>,
  event: Event<Doc>,
  nowMs: number,
  docs: Documents<Doc>,
): Stepped<Doc> {
  const step = new Step(state, nowMs, docs);
  take(step, event);
  return finish(step);
}

/** Derives what follows from the state after any event: the next request, the draft, the timer. */
export function finish<Doc>(step: Step<Doc>): Stepped<Doc> {
  const { pendingDelete } = step.state;
  if (pendingDelete !== null && step.nowMs >= pendingDelete.at + deleteBelievedMs) believeDelete(step);
  proceed(step);
  proceedWithDraft(step);
  const timerAt = nextTimerAt(step.state, step.nowMs);
  if (timerAt !== step.state.timerAt) {
    step.set({ timerAt });
    step.do({ kind: 'set_timer', at: timerAt });
  }
  return { state: step.state, effects: step.effects };
}

function take<Doc>(step: Step<Doc>, event: Event<Doc>): void {
  // The path is gone: edits are still kept and offered for download, but nothing is sent or read.
  if (step.state.hold?.kind === 'gone' && event.kind !== 'edited' && !event.kind.startsWith('draft_')) return;
  switch (event.kind) {
    case 'edited':
      onEdited(step, event.doc);
      return;
    case 'timer':
      // Fired. Anything still due sets it again.
      step.set({ timerAt: null });
      return;
    case 'save_asked':
      onSaveAsked(step);
      return;
    case 'left':
      onLeft(step, event.page);
      return;
    case 'hidden':
      onLeft(step, false);
      return;
    case 'closed':
      onClosed(step);
      return;
    case 'shown':
      onShown(step, event.page);
      return;
    case 'put_hashed':
      onPutHashed(step, event.id, event.hash);
      return;
    case 'put_answered':
      onPutResponded(step, event.id, event.response);
      return;
    case 'read_answered':
      onReadResponded(step, event.id, event.response);
      return;
    case 'versions_answered':
      onVersionsResponded(step, event.id, event.response);
      return;
    case 'merged':
      onMerged(step, event);
      return;
    case 'feed_changes':
      onFeedChanges(step, event.changes, event.nextSeq);
      return;
    case 'feed_reached_head':
      onFeedReachedHead(step);
      return;
    case 'feed_failing':
      if (step.state.link.kind === 'up') step.set({ link: { kind: 'offline', until: null } });
      return;
    case 'shut_out':
      failed(step, { kind: 'gone' });
      return;
    case 'draft_stored':
      onDraftStored(step, event.generation);
      return;
    case 'draft_failed':
      onDraftFailed(step, event.generation);
      return;
    case 'signed_out':
      step.set({ link: { kind: 'signed_out' } });
      wantDraftNow(step);
      return;
    case 'signed_in':
      // Another user's session must never send this user's text: the draft waits for this user.
      if (event.isSamePerson && step.state.link.kind === 'signed_out')
        step.set({ link: { kind: 'up' }, retryAt: null });
      return;
    case 'chosen':
      takeChoice(step, event.choice);
      return;
  }
}

/** The earliest time at which something may be due without an event. */
function nextTimerAt<Doc>(state: State<Doc>, nowMs: number): number | null {
  const { draft, hold, link, pendingDelete, unsureSince } = state;
  const times: number[] = [];
  const at = (time: number | null | undefined): void => {
    if (time !== null && time !== undefined && time > nowMs) times.push(time);
  };
  at(draft.dueAt);
  if (hold?.kind === 'gone') return draft.dueAt;
  if (draft.awaitedSince !== null) at(draft.awaitedSince + draftWaitMs);
  if (pendingDelete !== null) at(pendingDelete.at + deleteBelievedMs);
  if (unsureSince !== null) at(unsureSince + unsureShownMs);
  if (link.kind === 'offline') at(link.until);
  if (link.kind !== 'signed_out') {
    at(state.retryAt);
    at(state.dueAt);
    if (hold?.kind === 'conflict') at(hold.safeDueAt);
    if (hold?.kind === 'blocked' && hold.reason.kind === 'full') at(hold.reason.againAt);
    if (hold?.kind === 'deleted' && hold.rejectedFor?.kind === 'full') at(hold.rejectedFor.againAt);
  }
  return times.length === 0 ? null : Math.min(...times);
}
