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
import { type Event, type Stepped, Turn } from './messages.ts';
import { proceed } from './proceed.ts';
import { onPutAnswered } from './put-answers.ts';
import { onMerged, onReadAnswered, onVersionsAnswered } from './reading-theirs.ts';
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
  const turn = new Turn(state, nowMs, docs);
  take(turn, event);
  return finish(turn);
}

/** Derives what follows from the state after any event: the next request, the draft, the timer. */
export function finish<Doc>(turn: Turn<Doc>): Stepped<Doc> {
  const { pendingDelete } = turn.state;
  if (pendingDelete !== null && turn.nowMs >= pendingDelete.at + deleteBelievedMs) believeDelete(turn);
  proceed(turn);
  proceedWithDraft(turn);
  const timerAt = nextTimerAt(turn.state, turn.nowMs);
  if (timerAt !== turn.state.timerAt) {
    turn.set({ timerAt });
    turn.do({ kind: 'set_timer', at: timerAt });
  }
  return { state: turn.state, effects: turn.effects };
}

function take<Doc>(turn: Turn<Doc>, event: Event<Doc>): void {
  // The path is gone: edits are still kept and offered for download, but nothing is sent or read.
  if (turn.state.hold?.kind === 'gone' && event.kind !== 'edited' && !event.kind.startsWith('draft_')) return;
  switch (event.kind) {
    case 'edited':
      onEdited(turn, event.doc);
      return;
    case 'timer':
      // Fired. Anything still due sets it again.
      turn.set({ timerAt: null });
      return;
    case 'save_asked':
      onSaveAsked(turn);
      return;
    case 'left':
      onLeft(turn, event.page);
      return;
    case 'hidden':
      onLeft(turn, false);
      return;
    case 'closed':
      onClosed(turn);
      return;
    case 'shown':
      onShown(turn, event.page);
      return;
    case 'put_hashed':
      onPutHashed(turn, event.id, event.hash);
      return;
    case 'put_answered':
      onPutAnswered(turn, event.id, event.answer);
      return;
    case 'read_answered':
      onReadAnswered(turn, event.id, event.answer);
      return;
    case 'versions_answered':
      onVersionsAnswered(turn, event.id, event.answer);
      return;
    case 'merged':
      onMerged(turn, event);
      return;
    case 'feed_changes':
      onFeedChanges(turn, event.changes, event.nextSeq);
      return;
    case 'feed_reached_head':
      onFeedReachedHead(turn);
      return;
    case 'feed_failing':
      if (turn.state.link.kind === 'up') turn.set({ link: { kind: 'offline', until: null } });
      return;
    case 'shut_out':
      failed(turn, { kind: 'gone' });
      return;
    case 'draft_stored':
      onDraftStored(turn, event.generation);
      return;
    case 'draft_failed':
      onDraftFailed(turn, event.generation);
      return;
    case 'signed_out':
      turn.set({ link: { kind: 'signed_out' } });
      wantDraftNow(turn);
      return;
    case 'signed_in':
      // Another user's session must never send this user's text: the draft waits for this user.
      if (event.isSamePerson && turn.state.link.kind === 'signed_out')
        turn.set({ link: { kind: 'up' }, retryAt: null });
      return;
    case 'chosen':
      takeChoice(turn, event.choice);
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
    if (hold?.kind === 'deleted' && hold.refusedFor?.kind === 'full') at(hold.refusedFor.againAt);
  }
  return times.length === 0 ? null : Math.min(...times);
}
