import { retryPauseMs } from '@stoa/client';
import { holdConflict, theirsIsNewer } from './conflict.ts';
import { dropDraft, renewDraft, textChanged } from './local-text.ts';
import type { Event, ReadResponse, Step, VersionsResponse } from './messages.ts';
import { failed, landed, remember, sendAgain } from './requests.ts';
import { type Known, missesMax, type Reading, rereadsMax, type Theirs } from './state.ts';

export function onReadResponded<Doc>(step: Step<Doc>, id: number, response: ReadResponse<Doc>): void {
  const { reading } = step.state;
  if (reading?.id !== id) return;
  step.set({ reading: null });
  switch (response.kind) {
    case 'file': {
      step.set({ failures: 0, misses: 0 });
      const { foreign } = step.state;
      const { version, hash, doc } = response;
      const who = response.who ?? (foreign?.hash === hash ? foreign.who : null);
      const theirs = { version, hash, doc, who, seq: reading.seq };
      if (step.state.sending === null) takeTheirs(step, theirs);
      else settleBy(step, theirs);
      return;
    }
    case 'absent':
      missed(step);
      return;
    case 'unreadable':
      // Whether or not a lost PUT had landed, its text is not in the file now. The draft has it.
      step.set({
        foreign: null,
        sending: null,
        unsureSince: null,
        hold: { kind: 'blocked', reason: { kind: 'message', message: response.message } },
      });
      textChanged(step);
      return;
    default:
      failed(step, response);
      return;
  }
}

/**
 * No file is at the path. The feed reports a delete or a move; otherwise the path is not visible to the user any more.
 */
function missed<Doc>(step: Step<Doc>): void {
  const { sending, hold } = step.state;
  if (hold?.kind === 'deleted' && sending?.precondition.kind === 'none') {
    sendAgain(step);
    return;
  }
  if (hold?.kind === 'deleted') {
    // Whether or not the lost PUT landed, the file is gone. The draft has the text.
    step.set({ sending: null, unsureSince: null, foreign: null });
    textChanged(step);
    return;
  }
  const misses = step.state.misses + 1;
  step.set({ misses, retryAt: step.nowMs + retryPauseMs(misses, null, 1) });
  if (misses >= missesMax) failed(step, { kind: 'gone' });
}

/** Finds out whether the PUT without a response landed. */
function settleBy<Doc>(step: Step<Doc>, theirs: Theirs<Doc>): void {
  const { sending, base } = step.state;
  if (sending === null) return;
  if (theirs.hash === sending.hash) {
    landed(step, sending, theirs.version, theirs.hash);
    forgetForeignUpTo(step, theirs);
    return;
  }
  if (sending.precondition.kind === 'none') {
    didNotLand(step, theirs);
    return;
  }
  if (theirs.hash === sending.precondition.hash) {
    forgetForeignUpTo(step, theirs);
    // Another user saved after this was read: read it again before sending.
    if (step.state.foreign !== null) return;
    if (sending.aim === 'save') {
      remember(step, theirs);
      step.set({ base: { ...base, version: theirs.version } });
    }
    sendAgain(step);
    return;
  }
  const id = step.takeId();
  const reading: Reading<Doc> = { stage: 'versions', id, seq: theirs.seq, theirs };
  step.set({ reading });
  step.do({ kind: 'read_versions', id, path: step.state.path });
}

export function onVersionsResponded<Doc>(step: Step<Doc>, id: number, response: VersionsResponse): void {
  const { reading, sending } = step.state;
  if (reading?.stage !== 'versions' || reading.id !== id) return;
  step.set({ reading: null });
  switch (response.kind) {
    case 'versions': {
      const expected = sending?.precondition;
      const own =
        expected?.kind === 'version'
          ? savedSince(response.newestFirst, expected, [sending?.hash ?? null])
          : null;
      if (sending !== null && own !== null) landed(step, sending, own.version, own.hash);
      didNotLand(step, reading.theirs);
      return;
    }
    case 'absent':
      missed(step);
      return;
    default:
      failed(step, response);
      return;
  }
}

/**
 * The newest version after `since` with one of these hashes. Earlier versions do not count: they may have had the same
 * text.
 */
export function savedSince(
  newestFirst: readonly Known[],
  since: Known,
  hashes: readonly (string | null)[],
): Known | null {
  const from = newestFirst.findIndex(({ version, hash }) => version === since.version && hash === since.hash);
  return newestFirst.slice(0, Math.max(from, 0)).find(({ hash }) => hashes.includes(hash)) ?? null;
}

/** The lost PUT did not land, and another client's version is the newest. */
function didNotLand<Doc>(step: Step<Doc>, theirs: Theirs<Doc>): void {
  step.set({ sending: null, unsureSince: null });
  takeTheirs(step, theirs);
}

/** The newest version has been read. */
function takeTheirs<Doc>(step: Step<Doc>, theirs: Theirs<Doc>): void {
  const { foreign, rereads } = step.state;
  const isOutdated = foreign !== null && foreign.seq > theirs.seq && foreign.hash !== theirs.hash;
  if (isOutdated && rereads < rereadsMax) {
    step.set({ rereads: rereads + 1 });
    textChanged(step);
    return;
  }
  step.set({ rereads: 0 });
  forgetForeignUpTo(step, theirs);
  const { hold, base, doc } = step.state;
  if (hold?.kind === 'conflict') {
    theirsIsNewer(step, theirs);
    return;
  }
  if (hold?.kind === 'deleted') step.set({ hold: null });
  if (theirs.hash === base.hash) {
    remember(step, theirs);
    step.set({ base: { ...base, version: theirs.version, seq: theirs.seq } });
    textChanged(step);
    return;
  }
  if (step.docs.equal(doc, theirs.doc)) {
    remember(step, theirs);
    const { who: _, ...same } = theirs;
    step.set({ base: same, races: 0 });
    textChanged(step);
    return;
  }
  startMerge(step, theirs);
}

function forgetForeignUpTo<Doc>(step: Step<Doc>, { seq, hash }: Theirs<Doc>): void {
  const { foreign } = step.state;
  if (foreign !== null && (foreign.seq <= seq || foreign.hash === hash)) step.set({ foreign: null });
}

export function startMerge<Doc>(step: Step<Doc>, theirs: Theirs<Doc>): void {
  const id = step.takeId();
  const { base, doc, generation } = step.state;
  step.set({ merging: { id, generation, theirs } });
  step.do({ kind: 'merge', id, base: base.doc, mine: doc, theirs: theirs.doc });
}

export function onMerged<Doc>(step: Step<Doc>, event: Event<Doc> & { readonly kind: 'merged' }): void {
  const { merging, generation } = step.state;
  if (merging?.id !== event.id) return;
  const { theirs } = merging;
  step.set({ merging: null });
  // The user typed during the merge: its edits would land in the wrong positions.
  if (generation !== merging.generation) {
    startMerge(step, theirs);
    return;
  }
  if (event.overlaps > 0) {
    holdConflict(step, { theirs, copy: null });
    return;
  }
  const { who, ...base } = theirs;
  remember(step, theirs);
  step.set({ base, doc: event.doc, generation: generation + 1 });
  step.do({ kind: 'apply', edits: event.edits, who, version: base });
  step.say({ kind: 'changed_by', who, version: base.version, hash: base.hash });
  textChanged(step);
  if (step.isDirty) renewDraft(step);
  else dropDraft(step);
}
