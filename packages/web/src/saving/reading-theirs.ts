import { holdConflict, theirsIsNewer } from './conflict.ts';
import { dropDraft, renewDraft, textChanged } from './local-text.ts';
import type { Event, ReadAnswer, Turn, VersionsAnswer } from './messages.ts';
import { failed, landed, remember, sendAgain } from './requests.ts';
import { type Known, missesMax, type Reading, rereadsMax, type Theirs } from './state.ts';

export function onReadAnswered<Doc>(turn: Turn<Doc>, id: number, answer: ReadAnswer<Doc>): void {
  const { reading } = turn.state;
  if (reading?.id !== id) return;
  turn.set({ reading: null });
  switch (answer.kind) {
    case 'file': {
      turn.set({ failures: 0, misses: 0 });
      const { foreign } = turn.state;
      const { version, hash, doc } = answer;
      const who = answer.who ?? (foreign?.hash === hash ? foreign.who : null);
      const theirs = { version, hash, doc, who, seq: reading.seq };
      if (turn.state.sending === null) takeTheirs(turn, theirs);
      else settleBy(turn, theirs);
      return;
    }
    case 'absent':
      missed(turn);
      return;
    case 'unreadable':
      // Whether or not a lost PUT had landed, its text is not in the file now. The draft has it.
      turn.set({
        foreign: null,
        sending: null,
        unsureSince: null,
        hold: { kind: 'blocked', reason: { kind: 'message', message: answer.message } },
      });
      textChanged(turn);
      return;
    default:
      failed(turn, answer);
      return;
  }
}

/**
 * No file is at the path. The feed reports a delete or a move; otherwise the path is not visible to the user any more.
 */
function missed<Doc>(turn: Turn<Doc>): void {
  const { sending, hold } = turn.state;
  if (hold?.kind === 'deleted' && sending?.precondition.kind === 'none') {
    sendAgain(turn);
    return;
  }
  if (hold?.kind === 'deleted') {
    // Whether or not the lost PUT landed, the file is gone. The draft has the text.
    turn.set({ sending: null, unsureSince: null, foreign: null });
    textChanged(turn);
    return;
  }
  const misses = turn.state.misses + 1;
  turn.set({ misses, retryAt: turn.nowMs + 1000 * 2 ** (misses - 1) });
  if (misses >= missesMax) failed(turn, { kind: 'gone' });
}

/** Finds out whether the PUT without a response landed. */
function settleBy<Doc>(turn: Turn<Doc>, theirs: Theirs<Doc>): void {
  const { sending, base } = turn.state;
  if (sending === null) return;
  if (theirs.hash === sending.hash) {
    landed(turn, sending, theirs.version, theirs.hash);
    forgetForeignUpTo(turn, theirs);
    return;
  }
  if (sending.precondition.kind === 'none') {
    didNotLand(turn, theirs);
    return;
  }
  if (theirs.hash === sending.precondition.hash) {
    forgetForeignUpTo(turn, theirs);
    // Another user saved after this was read: read it again before sending.
    if (turn.state.foreign !== null) return;
    if (sending.aim === 'save') {
      remember(turn, theirs);
      turn.set({ base: { ...base, version: theirs.version } });
    }
    sendAgain(turn);
    return;
  }
  const id = turn.takeId();
  const reading: Reading<Doc> = { stage: 'versions', id, seq: theirs.seq, theirs };
  turn.set({ reading });
  turn.do({ kind: 'read_versions', id, path: turn.state.path });
}

export function onVersionsAnswered<Doc>(turn: Turn<Doc>, id: number, answer: VersionsAnswer): void {
  const { reading, sending } = turn.state;
  if (reading?.stage !== 'versions' || reading.id !== id) return;
  turn.set({ reading: null });
  switch (answer.kind) {
    case 'versions': {
      const expected = sending?.precondition;
      const own =
        expected?.kind === 'version'
          ? savedSince(answer.newestFirst, expected, [sending?.hash ?? null])
          : null;
      if (sending !== null && own !== null) landed(turn, sending, own.version, own.hash);
      didNotLand(turn, reading.theirs);
      return;
    }
    case 'absent':
      missed(turn);
      return;
    default:
      failed(turn, answer);
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
function didNotLand<Doc>(turn: Turn<Doc>, theirs: Theirs<Doc>): void {
  turn.set({ sending: null, unsureSince: null });
  takeTheirs(turn, theirs);
}

/** The newest version has been read. */
function takeTheirs<Doc>(turn: Turn<Doc>, theirs: Theirs<Doc>): void {
  const { foreign, rereads } = turn.state;
  const isOutdated = foreign !== null && foreign.seq > theirs.seq && foreign.hash !== theirs.hash;
  if (isOutdated && rereads < rereadsMax) {
    turn.set({ rereads: rereads + 1 });
    textChanged(turn);
    return;
  }
  turn.set({ rereads: 0 });
  forgetForeignUpTo(turn, theirs);
  const { hold, base, doc } = turn.state;
  if (hold?.kind === 'conflict') {
    theirsIsNewer(turn, theirs);
    return;
  }
  if (hold?.kind === 'deleted') turn.set({ hold: null });
  if (theirs.hash === base.hash) {
    remember(turn, theirs);
    turn.set({ base: { ...base, version: theirs.version, seq: theirs.seq } });
    textChanged(turn);
    return;
  }
  if (turn.docs.equal(doc, theirs.doc)) {
    remember(turn, theirs);
    const { who: _, ...same } = theirs;
    turn.set({ base: same, races: 0 });
    textChanged(turn);
    return;
  }
  startMerge(turn, theirs);
}

function forgetForeignUpTo<Doc>(turn: Turn<Doc>, { seq, hash }: Theirs<Doc>): void {
  const { foreign } = turn.state;
  if (foreign !== null && (foreign.seq <= seq || foreign.hash === hash)) turn.set({ foreign: null });
}

export function startMerge<Doc>(turn: Turn<Doc>, theirs: Theirs<Doc>): void {
  const id = turn.takeId();
  const { base, doc, generation } = turn.state;
  turn.set({ merging: { id, generation, theirs } });
  turn.do({ kind: 'merge', id, base: base.doc, mine: doc, theirs: theirs.doc });
}

export function onMerged<Doc>(turn: Turn<Doc>, event: Event<Doc> & { readonly kind: 'merged' }): void {
  const { merging, generation } = turn.state;
  if (merging?.id !== event.id) return;
  const { theirs } = merging;
  turn.set({ merging: null });
  // The user typed during the merge: its edits would land in the wrong positions.
  if (generation !== merging.generation) {
    startMerge(turn, theirs);
    return;
  }
  if (event.overlaps > 0) {
    holdConflict(turn, { theirs, copy: null });
    return;
  }
  const { who, ...base } = theirs;
  remember(turn, theirs);
  turn.set({ base, doc: event.doc, generation: generation + 1 });
  turn.do({ kind: 'apply', edits: event.edits, who, version: base });
  turn.say({ kind: 'changed_by', who, version: base.version, hash: base.hash });
  textChanged(turn);
  if (turn.isDirty) renewDraft(turn);
  else dropDraft(turn);
}
