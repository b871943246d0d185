// docs/decisions/0056-a-bookmark-waits-ten-minutes.md
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileNameOf, isWithin, type PathPrefix, placeholderName } from '@stoa/core';
import { requireStanding, type WorkspaceAccess } from '../access.ts';
import type { BookmarkRow } from '../ports/bookmarks.ts';
import type { Reader } from '../ports/reader.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { FoldedChanges, type FoldedFile } from './fold-changes.ts';
import { noteBookmarkScript } from './note-bookmark.ts';

/** Where an answer begins; without a time where a cursor was given. */
export interface CatchUpStart {
  readonly seq: number;
  readonly at: number | null;
}

/** What others did in a stretch of the feed. */
export interface CaughtUp {
  readonly start: CatchUpStart;
  /** True when more had happened than is looked through: `start` is later then than was asked for. */
  readonly isShortened: boolean;
  /** The cursor for what comes next. */
  readonly head: number;
  /** Oldest first, by the last that others did. */
  readonly files: readonly FoldedFile[];
}

export interface CatchUpQuery {
  /** Null: since the key's bookmark, which moves on by this answer. */
  readonly since: { readonly seq: number } | { readonly time: number } | null;
  readonly prefix: PathPrefix;
  /** How long to hold the call while others did nothing. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
}

type Deps = Pick<ServiceDeps, 'store' | 'clock' | 'feedWaiters'>;

/** An answer that came again within this time shows the same again: the one before may have been lost. */
const repeatMs = 10 * 60_000;
const firstTimeMs = 24 * 3_600_000;
/** Changes looked through for one answer: the latest of them. */
export const changesMax = 20_000;
/** Read at once: a few milliseconds, after which others are served. */
const pageChanges = 500;

/**
 * What others did since the caller last asked (interface: mcp, Catching up).
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member` when the caller's key, session or membership ended
 * while the call was held.
 */
export async function catchUp(deps: Deps, access: WorkspaceAccess, query: CatchUpQuery): Promise<CaughtUp> {
  const reading = new CatchingUp(deps, access, query);
  const caught = await reading.untilNews();
  if (query.since === null) await noteBookmark(deps, access, caught);
  return caught;
}

/** Reads the feed from the start on, and what comes while it waits after that. */
class CatchingUp {
  readonly #deps: Deps;
  readonly #access: WorkspaceAccess;
  readonly #query: CatchUpQuery;
  readonly #folded: FoldedChanges;
  #start: CatchUpStart | null = null;
  #isShortened = false;
  #seq = 0;

  constructor(deps: Deps, access: WorkspaceAccess, query: CatchUpQuery) {
    this.#deps = deps;
    this.#access = access;
    this.#query = query;
    const { keyId, userId } = access.actor;
    this.#folded = new FoldedChanges(({ actorId, actorKeyId }) =>
      keyId === null ? actorId === userId && actorKeyId === null : actorKeyId === keyId,
    );
  }

  async untilNews(): Promise<CaughtUp> {
    const { feedWaiters } = this.#deps;
    const { waitSeconds, signal } = this.#query;
    const until = performance.now() + waitSeconds * 1000;
    let caught = await this.#readOn();
    while (caught.files.length === 0 && !signal.aborted) {
      const leftSeconds = (until - performance.now()) / 1000;
      if (leftSeconds <= 0) break;
      const { head } = caught;
      const workspace = { id: this.#access.workspace.id, seq: head };
      await feedWaiters.untilAfter(workspace, { sinceSeq: head, waitSeconds: leftSeconds, signal });
      caught = await this.#readOn();
      // It was let go without news: the server holds no more, or shuts down.
      if (caught.head === head) break;
    }
    return caught;
  }

  #readOn(): Promise<CaughtUp> {
    const { store, clock } = this.#deps;
    const { prefix } = this.#query;
    const access = this.#access;
    return store.snapshot(async (reader) => {
      await requireStanding(reader, authorOf(access, clock()), access.workspace.id);
      const head = await reader.changes.head(access.workspace.id);
      const start = this.#start ?? (await this.#begin(reader, head));
      await this.#fold(reader, head);
      const isWanted = ({ path, origin }: FoldedFile) =>
        isWithin(path, prefix) || (origin !== null && isWithin(origin, prefix));
      const files = this.#folded
        .files()
        .filter((file) => isWanted(file) && fileNameOf(file.path) !== placeholderName);
      return { start, isShortened: this.#isShortened, head, files };
    });
  }

  async #begin(reader: Reader, head: number): Promise<CatchUpStart> {
    const asked = await this.#asked(reader, head);
    const { workspace } = this.#access;
    const isLong = asked.seq < head - changesMax;
    const oldest = isLong ? await reader.changes.seqBeforeLast(workspace.id, changesMax) : 0;
    this.#isShortened = asked.seq < oldest;
    this.#start = this.#isShortened ? { seq: oldest, at: asked.at } : asked;
    this.#seq = this.#start.seq;
    return this.#start;
  }

  async #asked(reader: Reader, head: number): Promise<CatchUpStart> {
    const { since } = this.#query;
    const { workspace, actor } = this.#access;
    const afterTime = async (time: number): Promise<CatchUpStart> => {
      const first = await reader.changes.firstSeqAfter(workspace.id, time);
      return { seq: first === null ? head : first - 1, at: time };
    };
    if (since !== null) return 'seq' in since ? { seq: since.seq, at: null } : afterTime(since.time);
    const now = this.#deps.clock();
    const bookmark = actor.keyId === null ? null : await reader.bookmarks.find(actor.keyId, workspace.id);
    return bookmark === null ? afterTime(now - firstTimeMs) : startOf(bookmark, now);
  }

  async #fold(reader: Reader, head: number): Promise<void> {
    const { workspace, viewer } = this.#access;
    while (this.#seq < head) {
      const { changes, scannedSeqs } = await reader.changes.scan({
        workspaceId: workspace.id,
        viewer,
        sinceSeq: this.#seq,
        limit: pageChanges,
        includeComments: true,
      });
      for (const change of changes) this.#folded.add(change);
      this.#seq = scannedSeqs.at(-1) ?? head;
      if (this.#seq < head) await nextTurn();
    }
  }
}

/** Where a key goes on: behind its last answer, or, when it asks again soon, where that began. */
function startOf({ startSeq, startAt, headSeq, answeredAt }: BookmarkRow, now: number): CatchUpStart {
  return now - answeredAt > repeatMs ? { seq: headSeq, at: answeredAt } : { seq: startSeq, at: startAt };
}

async function noteBookmark(deps: Deps, access: WorkspaceAccess, { start, head }: CaughtUp): Promise<void> {
  const { keyId } = access.actor;
  if (keyId === null) return;
  const workspaceId = access.workspace.id;
  const now = deps.clock();
  await deps.store.transact(noteBookmarkScript, {
    credential: access.credential,
    now,
    workspaceId,
    bookmark: {
      keyId,
      workspaceId,
      startSeq: start.seq,
      startAt: start.at ?? now,
      headSeq: head,
      answeredAt: now,
    },
  });
}
