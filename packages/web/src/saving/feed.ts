import { renewDraft, textChanged } from './local-text.ts';
import type { FeedChange, Turn } from './messages.ts';
import { failed, landed } from './requests.ts';
import type { Foreign, Hold } from './state.ts';

/** Handles a page of the feed. Repeated changes have no effect. */
export function onFeedChanges<Doc>(turn: Turn<Doc>, changes: readonly FeedChange[], nextSeq: number): void {
  const madeAt = seqOfBase(turn, changes);
  // A move is a `delete` and a `move` in sequence. A page that continues without the `move` proves a deletion.
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
  // The server responds again, so there is no need to wait before checking a lost PUT.
  if (turn.state.link.kind === 'up' && turn.state.unsureSince !== null) turn.set({ retryAt: null });
}

/**
 * The file was deleted or moved away and then created again, by a save from here or by another user whose text was read
 * since. Earlier changes in the page concern another file. Returns the `seq` of that creation, or 0.
 */
function seqOfBase<Doc>(turn: Turn<Doc>, changes: readonly FeedChange[]): number {
  const { path, base, hold, pendingDelete, sending } = turn.state;
  // An unfinished save may have landed in between; then the record of the base is a new change.
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
    // Version numbers restart at 1, so known numbers mean nothing any more.
    turn.set({
      pendingDelete: { seq: change.seq, who: change.who, at: turn.nowMs },
      known: [],
      // Running reads and merges concern the deleted file.
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
  // A recreated file starts again at version 1, so none of its versions is known.
  if (turn.state.hold?.kind === 'deleted') turn.set({ hold: null, known: [] });
  const { base, sending, unsureSince, known, hold, foreign } = turn.state;
  // In a conflict the newest version is compared, even if it equals the base again.
  const isBase = hash !== null && hash === base.hash && (sending === null || sending.echo === null);
  if (isBase && hold?.kind !== 'conflict') {
    // The echo of a save, or a restore of exactly this text: earlier changes are obsolete.
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
    // The response was lost: the echo replaces it.
    if (unsureSince !== null) {
      turn.set({ foreign: null });
      landed(turn, echoed, version ?? 1, hash);
    }
    return;
  }
  if (hold?.kind === 'conflict' && hold.theirs !== null && hash === hold.theirs.hash) {
    // Read before the feed reported it.
    turn.set({ hold: { ...hold, theirs: { ...hold.theirs, seq, who } }, foreign: null });
    return;
  }
  if (known.some((one) => one.version === version && one.hash === hash)) return;
  const change: Foreign = { seq, version: version ?? 1, hash, who };
  if (foreign === null || foreign.seq <= seq) turn.set({ foreign: change });
}

/** The file has moved and is at version 1. Its editor and draft follow. */
function follow<Doc>(turn: Turn<Doc>, { path: to, seq, version, hash, who }: FeedChange): void {
  const { path: from, base, sending, unsureSince } = turn.state;
  const { hold } = turn.state;
  turn.set({
    path: to,
    pendingDelete: null,
    known: [],
    hold: holdElsewhere(hold, { seq, version: version ?? 1, hash }),
    // The running read uses the old path.
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

/** In a conflict, "theirs" may have stayed at the old path. Unless it was moved, the file at the new path is read. */
function holdElsewhere<Doc>(
  hold: Hold<Doc> | null,
  { seq, version, hash }: { readonly seq: number; readonly version: number; readonly hash: string | null },
): Hold<Doc> | null {
  if (hold?.kind === 'deleted') return null;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return hold;
  if (hold.theirs.hash === hash) return { ...hold, theirs: { ...hold.theirs, version, seq } };
  return { ...hold, theirs: null, wanted: hold.wanted === 'keep_both' ? hold.wanted : null };
}

/** No `move` followed: the file is deleted. */
export function believeDelete<Doc>(turn: Turn<Doc>): void {
  const { pendingDelete, hold } = turn.state;
  if (pendingDelete === null) return;
  turn.set({ pendingDelete: null, foreign: null });
  if (hold?.kind === 'gone') return;
  turn.set({ hold: { kind: 'deleted', who: pendingDelete.who, wanted: false, refusedFor: null } });
  textChanged(turn);
}
