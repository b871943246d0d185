import { renewDraft, textChanged } from './local-text.ts';
import type { FeedChange, Step } from './messages.ts';
import { failed, landed } from './requests.ts';
import type { Foreign, Hold } from './state.ts';

/** Handles a page of the feed. Repeated changes have no effect. */
export function onFeedChanges<Doc>(step: Step<Doc>, changes: readonly FeedChange[], nextSeq: number): void {
  const madeAt = seqOfBase(step, changes);
  // A move is a `delete` and a `move` in sequence. A page that continues without the `move` proves a deletion.
  for (const change of changes) {
    if (change.seq <= step.state.feedSeq) continue;
    if (change.seq < madeAt && isAboutFile(step, change)) {
      if (change.op === 'delete') step.set({ known: [] });
      continue;
    }
    if (step.state.pendingDelete !== null && !isMoveOf(step, change)) {
      const remade = change.path === step.state.path && bringsText(change);
      if (remade) step.set({ pendingDelete: null });
      else believeDelete(step);
    }
    step.set({ feedSeq: change.seq });
    takeChange(step, change);
    if (step.state.hold?.kind === 'gone') return;
  }
  if (changes.length === 0) believeDelete(step);
  step.set({ feedSeq: Math.max(step.state.feedSeq, nextSeq) });
}

export function onFeedReachedHead<Doc>(step: Step<Doc>): void {
  believeDelete(step);
  const { nowMs } = step;
  const { link } = step.state;
  if (link.kind === 'offline' && (link.until === null || nowMs >= link.until)) {
    step.set({ link: { kind: 'up' }, retryAt: null });
  }
  // The server responds again, so there is no need to wait before checking a lost PUT.
  if (step.state.link.kind === 'up' && step.state.unsureSince !== null) step.set({ retryAt: null });
}

/**
 * The file was deleted or moved away and then created again, by a save from here or by another user whose text was read
 * since. Earlier changes in the page concern another file. Returns the `seq` of that creation, or 0.
 */
function seqOfBase<Doc>(step: Step<Doc>, changes: readonly FeedChange[]): number {
  const { path, base, hold, pendingDelete, sending } = step.state;
  // An unfinished save may have landed in between; then the record of the base is a new change.
  if (sending !== null) return 0;
  const seen = [base.hash, ...(hold?.kind === 'conflict' && hold.theirs !== null ? [hold.theirs.hash] : [])];
  const made = changes.findLast(({ path: at, hash }) => at === path && hash !== null && seen.includes(hash));
  if (made === undefined) return 0;
  if (pendingDelete !== null && pendingDelete.seq < made.seq) step.set({ pendingDelete: null });
  return made.seq;
}

function isAboutFile<Doc>(step: Step<Doc>, change: FeedChange): boolean {
  return change.path === step.state.path || isMoveOf(step, change);
}

function isMoveOf<Doc>(step: Step<Doc>, change: FeedChange): boolean {
  return change.op === 'move' && change.movedFrom === step.state.path;
}

function bringsText({ op }: FeedChange): boolean {
  return op === 'write' || op === 'restore' || op === 'conflict' || op === 'move';
}

function takeChange<Doc>(step: Step<Doc>, change: FeedChange): void {
  const { path, base } = step.state;
  if (change.op === 'access_revoked') {
    if (path === change.path || path.startsWith(`${change.path}/`)) failed(step, { kind: 'gone' });
    return;
  }
  if (isMoveOf(step, change) && change.seq > base.seq) {
    follow(step, change);
    return;
  }
  if (change.path !== path || change.seq <= base.seq) return;
  if (change.op === 'delete') {
    // Version numbers restart at 1, so known numbers mean nothing any more.
    step.set({
      pendingDelete: { seq: change.seq, who: change.who, at: step.nowMs },
      known: [],
      // Running reads and merges concern the deleted file.
      reading: null,
      merging: null,
    });
    const { sending } = step.state;
    if (sending !== null && sending.echo !== null)
      step.set({ sending: { ...sending, echo: { ...sending.echo, isDeleted: true } } });
    return;
  }
  if (bringsText(change)) takeText(step, change);
}

function takeText<Doc>(step: Step<Doc>, { seq, version, hash, who, isOwn }: FeedChange): void {
  // A recreated file starts again at version 1, so none of its versions is known.
  if (step.state.hold?.kind === 'deleted') step.set({ hold: null, known: [] });
  const { base, sending, unsureSince, known, hold, foreign } = step.state;
  // In a conflict the newest version is compared, even if it equals the base again.
  const isBase = hash !== null && hash === base.hash && (sending === null || sending.echo === null);
  if (isBase && hold?.kind !== 'conflict') {
    // The echo of a save, or a restore of exactly this text: earlier changes are obsolete.
    step.set({
      base: { ...base, version: version ?? base.version, seq },
      foreign: null,
      reading: null,
      merging: null,
    });
    return;
  }
  if (hash !== null && sending !== null && sending.aim !== 'aside' && hash === sending.hash && isOwn) {
    const echoed = { ...sending, echo: { version: version ?? 1, seq, isDeleted: false } };
    step.set({ sending: echoed });
    // The response was lost: the echo replaces it.
    if (unsureSince !== null) {
      step.set({ foreign: null });
      landed(step, echoed, version ?? 1, hash);
    }
    return;
  }
  if (hold?.kind === 'conflict' && hold.theirs !== null && hash === hold.theirs.hash) {
    // Read before the feed reported it.
    step.set({ hold: { ...hold, theirs: { ...hold.theirs, seq, who } }, foreign: null });
    return;
  }
  if (known.some((one) => one.version === version && one.hash === hash)) return;
  const change: Foreign = { seq, version: version ?? 1, hash, who };
  if (foreign === null || foreign.seq <= seq) step.set({ foreign: change });
}

/** The file has moved and is at version 1. Its editor and draft follow. */
function follow<Doc>(step: Step<Doc>, { path: to, seq, version, hash, who }: FeedChange): void {
  const { path: from, base, sending, unsureSince } = step.state;
  const { hold } = step.state;
  step.set({
    path: to,
    pendingDelete: null,
    known: [],
    hold: holdElsewhere(hold, { seq, version: version ?? 1, hash }),
    // The running read uses the old path.
    reading: null,
    merging: null,
  });
  step.do({ kind: 'follow_path', from, to });
  step.say({ kind: 'moved', from, to, who });
  if (step.isDirty) renewDraft(step);
  if (hash === base.hash) {
    step.set({ base: { ...base, version: version ?? 1, seq } });
    return;
  }
  if (hash !== null && hash === sending?.hash) {
    // A save landed just before the move.
    const echoed = { ...sending, echo: { version: version ?? 1, seq, isDeleted: false } };
    step.set({ sending: echoed });
    if (unsureSince !== null) landed(step, echoed, version ?? 1, hash);
    return;
  }
  step.set({ foreign: { seq, version: version ?? 1, hash, who } });
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
export function believeDelete<Doc>(step: Step<Doc>): void {
  const { pendingDelete, hold } = step.state;
  if (pendingDelete === null) return;
  step.set({ pendingDelete: null, foreign: null });
  if (hold?.kind === 'gone') return;
  step.set({ hold: { kind: 'deleted', who: pendingDelete.who, wanted: false, rejectedFor: null } });
  textChanged(step);
}
