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
      // Whether a PUT whose answer was lost had landed before: its text is not what stands there, and the draft has it.
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

/** Nothing is there. The feed tells of a delete or a move; if it does not, the path is no longer visible. */
function missed<Doc>(turn: Turn<Doc>): void {
  const { sending, hold } = turn.state;
  if (hold?.kind === 'deleted' && sending?.precondition.kind === 'none') {
    sendAgain(turn);
    return;
  }
  if (hold?.kind === 'deleted') {
    // Whether the lost PUT landed before or not: the file is gone, and the draft has the text.
    turn.set({ sending: null, unsureSince: null, foreign: null });
    textChanged(turn);
    return;
  }
  const misses = turn.state.misses + 1;
  turn.set({ misses, retryAt: turn.nowMs + 1000 * 2 ** (misses - 1) });
  if (misses >= missesMax) failed(turn, { kind: 'gone' });
}

/** What became of the PUT whose answer was lost. */
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
    // Somebody saved after this was read: it is read again before anything is sent.
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

/** The newest version with one of these texts since another. Only that counts: an older one may have had the same text. */
export function savedSince(
  newestFirst: readonly Known[],
  since: Known,
  hashes: readonly (string | null)[],
): Known | null {
  const from = newestFirst.findIndex(({ version, hash }) => version === since.version && hash === since.hash);
  return newestFirst.slice(0, Math.max(from, 0)).find(({ hash }) => hashes.includes(hash)) ?? null;
}

/** Nothing is under way any more, and somebody else's version is the newest. */
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
  // Typed on meanwhile: the edits would land in the wrong places.
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
