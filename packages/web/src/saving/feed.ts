import { renewDraft, textChanged } from './local-text.ts';
import type { FeedChange, Turn } from './messages.ts';
import { failed, landed } from './requests.ts';
import type { Foreign, Hold } from './state.ts';

/** A page of the feed. What was handled before does nothing when it comes again. */
export function onFeedChanges<Doc>(turn: Turn<Doc>, changes: readonly FeedChange[], nextSeq: number): void {
  const madeAt = seqOfBase(turn, changes);
  // A move is a `delete` and a `move` side by side. A page that goes on without the second is proof that there is none.
  for (const change of changes) {
    if (change.seq <= turn.state.feedSeq) continue;
    if (change.seq < madeAt && isAboutFile(turn, change)) {
      if (change.op === 'delete') turn.set({ known: [] });
      continue;
    }
    if (turn.state.pendingDelete !== null && !isMoveOf(turn, change)) {
      const remade = change.path === turn.state.path && bringsText(change);
      if (remade) turn.set({ pendingDelete: null });
      else believeDelete(turn);
    }
    turn.set({ feedSeq: change.seq });
    takeChange(turn, change);
    if (turn.state.hold?.kind === 'gone') return;
  }
  if (changes.length === 0) believeDelete(turn);
  turn.set({ feedSeq: Math.max(turn.state.feedSeq, nextSeq) });
}

export function onFeedReachedHead<Doc>(turn: Turn<Doc>): void {
  believeDelete(turn);
  const { nowMs } = turn;
  const { link } = turn.state;
  if (link.kind === 'offline' && (link.until === null || nowMs >= link.until)) {
    turn.set({ link: { kind: 'up' }, retryAt: null });
  }
  // The server answers again: no need to wait before asking what became of a lost PUT.
  if (turn.state.link.kind === 'up' && turn.state.unsureSince !== null) turn.set({ retryAt: null });
}

/**
 * The file was deleted or moved away, and made again before this page tells of it: by a save from here, or by somebody
 * whose text was read since. What stands before that in the page is about another file.
 */
function seqOfBase<Doc>(turn: Turn<Doc>, changes: readonly FeedChange[]): number {
  const { path, base, hold, pendingDelete, sending } = turn.state;
  // A save under way may have landed in between, and then the record of the base is news.
  if (sending !== null) return 0;
  const seen = [base.hash, ...(hold?.kind === 'conflict' && hold.theirs !== null ? [hold.theirs.hash] : [])];
  const made = changes.findLast(({ path: at, hash }) => at === path && hash !== null && seen.includes(hash));
  if (made === undefined) return 0;
  if (pendingDelete !== null && pendingDelete.seq < made.seq) turn.set({ pendingDelete: null });
  return made.seq;
}

function isAboutFile<Doc>(turn: Turn<Doc>, change: FeedChange): boolean {
  return change.path === turn.state.path || isMoveOf(turn, change);
}

function isMoveOf<Doc>(turn: Turn<Doc>, change: FeedChange): boolean {
  return change.op === 'move' && change.movedFrom === turn.state.path;
}

function bringsText({ op }: FeedChange): boolean {
  return op === 'write' || op === 'restore' || op === 'conflict' || op === 'move';
}

function takeChange<Doc>(turn: Turn<Doc>, change: FeedChange): void {
  const { path, base } = turn.state;
  if (change.op === 'access_revoked') {
    if (path === change.path || path.startsWith(`${change.path}/`)) failed(turn, { kind: 'gone' });
    return;
  }
  if (isMoveOf(turn, change) && change.seq > base.seq) {
    follow(turn, change);
    return;
  }
  if (change.path !== path || change.seq <= base.seq) return;
  if (change.op === 'delete') {
    // Numbers start again at 1, so that a known one says nothing any more.
    turn.set({
      pendingDelete: { seq: change.seq, who: change.who, at: turn.nowMs },
      known: [],
      // What is being read or merged is from before.
      reading: null,
      merging: null,
    });
    const { sending } = turn.state;
    if (sending !== null && sending.echo !== null)
      turn.set({ sending: { ...sending, echo: { ...sending.echo, isDeleted: true } } });
    return;
  }
  if (bringsText(change)) takeText(turn, change);
}

function takeText<Doc>(turn: Turn<Doc>, { seq, version, hash, who, isOwn }: FeedChange): void {
  // What is made again begins at version 1 anew: none of its versions is known.
  if (turn.state.hold?.kind === 'deleted') turn.set({ hold: null, known: [] });
  const { base, sending, unsureSince, known, hold, foreign } = turn.state;
  // In a conflict the newest version is what is compared with, even when it is the base again.
  const isBase = hash !== null && hash === base.hash && (sending === null || sending.echo === null);
  if (isBase && hold?.kind !== 'conflict') {
    // The echo of a save, or a restore of just this text: whatever came before it is past.
    turn.set({
      base: { ...base, version: version ?? base.version, seq },
      foreign: null,
      reading: null,
      merging: null,
    });
    return;
  }
  if (hash !== null && sending !== null && sending.aim !== 'aside' && hash === sending.hash && isOwn) {
    const echoed = { ...sending, echo: { version: version ?? 1, seq, isDeleted: false } };
    turn.set({ sending: echoed });
    // The answer is lost: the echo is the answer.
    if (unsureSince !== null) {
      turn.set({ foreign: null });
      landed(turn, echoed, version ?? 1, hash);
    }
    return;
  }
  if (hold?.kind === 'conflict' && hold.theirs !== null && hash === hold.theirs.hash) {
    // Read before the feed told of it.
    turn.set({ hold: { ...hold, theirs: { ...hold.theirs, seq, who } }, foreign: null });
    return;
  }
  if (known.some((one) => one.version === version && one.hash === hash)) return;
  const change: Foreign = { seq, version: version ?? 1, hash, who };
  if (foreign === null || foreign.seq <= seq) turn.set({ foreign: change });
}

/** The file is elsewhere now, at version 1, and so are its editor and its draft. */
function follow<Doc>(turn: Turn<Doc>, { path: to, seq, version, hash, who }: FeedChange): void {
  const { path: from, base, sending, unsureSince } = turn.state;
  const { hold } = turn.state;
  turn.set({
    path: to,
    pendingDelete: null,
    known: [],
    hold: holdElsewhere(hold, { seq, version: version ?? 1, hash }),
    // What is being read stands at the old path.
    reading: null,
    merging: null,
  });
  turn.do({ kind: 'follow_path', from, to });
  turn.say({ kind: 'moved', from, to, who });
  if (turn.isDirty) renewDraft(turn);
  if (hash === base.hash) {
    turn.set({ base: { ...base, version: version ?? 1, seq } });
    return;
  }
  if (hash !== null && hash === sending?.hash) {
    // A save landed just before the move.
    const echoed = { ...sending, echo: { version: version ?? 1, seq, isDeleted: false } };
    turn.set({ sending: echoed });
    if (unsureSince !== null) landed(turn, echoed, version ?? 1, hash);
    return;
  }
  turn.set({ foreign: { seq, version: version ?? 1, hash, who } });
}

/** What was compared with may have stayed at the old path: unless it is what was moved, the new one is read. */
function holdElsewhere<Doc>(
  hold: Hold<Doc> | null,
  { seq, version, hash }: { readonly seq: number; readonly version: number; readonly hash: string | null },
): Hold<Doc> | null {
  if (hold?.kind === 'deleted') return null;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return hold;
  if (hold.theirs.hash === hash) return { ...hold, theirs: { ...hold.theirs, version, seq } };
  return { ...hold, theirs: null, wanted: hold.wanted === 'keep_both' ? hold.wanted : null };
}

/** No `move` came with it: the file is deleted. */
export function believeDelete<Doc>(turn: Turn<Doc>): void {
  const { pendingDelete, hold } = turn.state;
  if (pendingDelete === null) return;
  turn.set({ pendingDelete: null, foreign: null });
  if (hold?.kind === 'gone') return;
  turn.set({ hold: { kind: 'deleted', who: pendingDelete.who, wanted: false, refusedFor: null } });
  textChanged(turn);
}
