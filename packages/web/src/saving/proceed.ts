import { choiceDue, dropEmptyChoice } from './conflict.ts';
import { draftOfText } from './local-text.ts';
import type { Step } from './messages.ts';
import { outlive, sendAgain, startKeeping, startPut, startReading } from './requests.ts';
import type { BlockReason, Precondition } from './state.ts';

/**
 * Starts the next request if it is due. One at a time, in this order: check a lost PUT, read changes by others, send
 * the user's choice, send the text. So no request overwrites a known, unmerged change.
 */
export function proceed<Doc>(step: Step<Doc>): void {
  const { nowMs } = step;
  if (step.state.hold?.kind === 'gone') return;
  if (step.state.link.kind === 'offline' && step.state.link.until !== null && nowMs >= step.state.link.until)
    step.set({ link: { kind: 'up' } });
  const { state } = step;
  if (state.link.kind !== 'up' || state.reading !== null || state.merging !== null) return;
  if (state.sending !== null && state.unsureSince === null) {
    if (state.isClosing) outlive(step);
    return;
  }
  // The file may have been moved: a PUT would create a second file at the old path.
  if (state.pendingDelete !== null) return;
  if (state.retryAt !== null && nowMs < state.retryAt) return;
  if (state.unsureSince !== null) {
    settle(step);
    return;
  }
  if (state.foreign !== null) {
    startReading(step);
    return;
  }
  const { hold } = state;
  switch (hold?.kind) {
    case undefined:
      if (state.dueAt !== null && nowMs >= state.dueAt && step.isDirty) sendText(step, 'save', baseOf(step));
      return;
    case 'conflict': {
      // The newest version must be read before the user can choose.
      if (hold.theirs === null) {
        startReading(step);
        return;
      }
      dropEmptyChoice(step);
      const due = choiceDue(step);
      if (due === 'aside') {
        startKeeping(step);
        return;
      }
      if (due === 'over_theirs')
        sendText(step, hold.wanted === 'merged' ? 'merged' : 'replace', {
          kind: 'version',
          version: hold.theirs.version,
          hash: hold.theirs.hash,
        });
      return;
    }
    case 'deleted':
      if (hold.wanted || (isFullNoLonger(hold.rejectedFor, nowMs) && step.isDirty))
        sendText(step, 'again', { kind: 'none' });
      return;
    case 'blocked':
      if (!isFullNoLonger(hold.reason, nowMs)) return;
      step.set({ hold: null });
      proceed(step);
      return;
  }
}

/** A full workspace is retried now and then; every other reason needs the user. */
function isFullNoLonger(reason: BlockReason | null, nowMs: number): boolean {
  return reason?.kind === 'full' && nowMs >= reason.againAt;
}

function baseOf<Doc>(step: Step<Doc>): Precondition {
  const { version, hash } = step.state.base;
  return { kind: 'version', version, hash };
}

function sendText<Doc>(
  step: Step<Doc>,
  aim: 'save' | 'merged' | 'replace' | 'again',
  precondition: Precondition,
): void {
  const { path } = step.state;
  const draft = draftOfText(step);
  if (draft === 'wait') return;
  startPut(step, {
    aim,
    path,
    precondition,
    rejectStale: draft === 'kept' && precondition.kind === 'version',
  });
}

/**
 * The response of a PUT was lost. If it went to a copy, the same bytes are sent again and make no second copy.
 * Otherwise the file is read first, because others may have written since.
 */
function settle<Doc>(step: Step<Doc>): void {
  if (step.state.sending?.aim === 'aside') sendAgain(step);
  else startReading(step);
}
