import { renewDraft, textChanged } from './local-text.ts';
import type { FeedChange, Turn } from './messages.ts';
import { failed, landed } from './requests.ts';
import type { Foreign } from './state.ts';

/** A page of the feed. What was handled before does nothing when it comes again. */
export function onFeedChanges<Doc>(turn: Turn<Doc>, changes: readonly FeedChange[], nextSeq: number): void {
  // A move is a `delete` and a `move` side by side. A page that goes on without the second is proof that there is none.
  for (const change of changes) {
    if (change.seq <= turn.state.feedSeq) continue;
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
    turn.set({ pendingDelete: { seq: change.seq, who: change.who, at: turn.nowMs }, known: [] });
    return;
  }
  if (bringsText(change)) takeText(turn, change);
}

function takeText<Doc>(turn: Turn<Doc>, { seq, version, hash, who, isOwn }: FeedChange): void {
  // What is made again begins at version 1 anew: none of its versions is known.
  if (turn.state.hold?.kind === 'deleted') turn.set({ hold: null, known: [] });
  const { base, sending, unsureSince, known, hold, foreign } = turn.state;
  // In a conflict the newest version is what is compared with, even when it is the base again.
  if (hash !== null && hash === base.hash && hold?.kind !== 'conflict') {
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
    const echoed = { ...sending, echo: { version: version ?? 1, seq } };
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
  turn.set({ path: to, pendingDelete: null, known: [], hold: hold?.kind === 'deleted' ? null : hold });
  turn.do({ kind: 'follow_path', from, to });
  turn.say({ kind: 'moved', from, to, who });
  if (turn.isDirty) renewDraft(turn);
  if (hash === base.hash) {
    turn.set({ base: { ...base, version: version ?? 1, seq } });
    return;
  }
  if (hash !== null && hash === sending?.hash) {
    // A save landed just before the move.
    const echoed = { ...sending, echo: { version: version ?? 1, seq } };
    turn.set({ sending: echoed });
    if (unsureSince !== null) landed(turn, echoed, version ?? 1, hash);
    return;
  }
  turn.set({ foreign: { seq, version: version ?? 1, hash, who } });
}

/** No `move` came with it: the file is deleted. */
export function believeDelete<Doc>(turn: Turn<Doc>): void {
  const { pendingDelete, hold } = turn.state;
  if (pendingDelete === null) return;
  // What is being read is from before.
  turn.set({ pendingDelete: null, foreign: null, reading: null, merging: null });
  if (hold?.kind === 'gone') return;
  turn.set({ hold: { kind: 'deleted', who: pendingDelete.who, wanted: false } });
  textChanged(turn);
}
