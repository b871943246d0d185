import { setImmediate as nextTick } from 'node:timers/promises';
import { fileNameOf, isWithin, type PathPrefix, placeholderName } from '@stoa/core';
import { requireAccessStatus, type WorkspaceAccess } from '../access.ts';
import type { Reader } from '../ports/reader.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { cursorFor } from './cursor-rule.ts';
import { FoldedChanges, type FoldedFile } from './fold-changes.ts';
import { recordCursorScript } from './record-cursor.ts';

/** Start of a response; without a time when the caller sent a cursor. */
export interface CatchUpStart {
  readonly seq: number;
  readonly at: number | null;
}

/** Other users' changes in a range of the feed. */
export interface CaughtUp {
  readonly start: CatchUpStart;
  /** End of the part that an earlier response already had for this key; the start of the range if none. */
  readonly repeatedSeq: number;
  /**
   * Start of the responses that the key received and never confirmed; null: everything before the range is confirmed.
   */
  readonly unconfirmedSeq: number | null;
  readonly endSeq: number;
  /** Whether there are more changes after the end than one response scans. */
  readonly isCut: boolean;
  /** By the first change of another user to each. */
  readonly files: readonly FoldedFile[];
}

export interface CatchUpQuery {
  /** Null: since the key's cursor. */
  readonly since: { readonly seq: number } | { readonly time: number } | null;
  readonly prefix: PathPrefix;
  /** Maximum time to hold the call while other users make no new change. */
  readonly waitSeconds: number;
  /** Wraps the wait, for example to release the caller's permit of a queue. */
  readonly whileWaiting?: (wait: () => Promise<void>) => Promise<void>;
  readonly signal: AbortSignal;
}

type Deps = Pick<ServiceDeps, 'store' | 'clock' | 'feedWaiters'>;

const firstTimeMs = 24 * 3_600_000;
const changesMax = 20_000;
/** One page takes a few milliseconds, after which other requests run. */
const pageChanges = 500;

/**
 * Summarises other users' changes since the caller's last call (interface: mcp, Catching up). Does not move the cursor:
 * see `recordShown`.
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member` when the caller's key, session or membership
 * ended during the wait.
 */
export function catchUp(deps: Deps, access: WorkspaceAccess, query: CatchUpQuery): Promise<CaughtUp> {
  return new CatchingUp(deps, access, query).untilNews();
}

/**
 * Records for the caller's key that a response contains everything of `caught` up to `toSeq`.
 * @throws WorkspaceError as `catchUp`
 */
export async function recordShown(
  deps: Pick<Deps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  { since, prefix, signal }: CatchUpQuery,
  { start }: CaughtUp,
  toSeq: number,
): Promise<void> {
  const { keyId } = access.actor;
  // A start time does not confirm earlier changes. A disconnected client gets no response.
  if (keyId === null || (since !== null && 'time' in since) || signal.aborted) return;
  const now = deps.clock();
  await deps.store.transact(recordCursorScript, {
    ...{ credential: access.credential, now, keyId, workspaceId: access.workspace.id },
    shown: {
      path: coveredBy(prefix, access),
      ...{ fromSeq: start.seq, fromAt: start.at ?? now, toSeq, isConfirming: since !== null, at: now },
    },
  });
}

/**
 * The path that a call covers. When it includes everything that the caller may see, it counts as the whole workspace.
 */
function coveredBy(prefix: PathPrefix, { viewer }: WorkspaceAccess): PathPrefix {
  return isWithin(viewer.within, prefix) ? ('' as PathPrefix) : prefix;
}

/** Reads the feed from the start, and then the changes that arrive during the wait. */
class CatchingUp {
  readonly #deps: Deps;
  readonly #access: WorkspaceAccess;
  readonly #query: CatchUpQuery;
  readonly #folded: FoldedChanges;
  #start: CatchUpStart | null = null;
  #repeatedSeq = 0;
  #unconfirmedSeq: number | null = null;
  #seq = 0;
  #read = 0;

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
    const { waitSeconds, signal, whileWaiting = (wait) => wait() } = this.#query;
    const until = performance.now() + waitSeconds * 1000;
    let caught = await this.#readOn();
    while (!hasNews(caught) && !signal.aborted) {
      const leftSeconds = (until - performance.now()) / 1000;
      if (leftSeconds <= 0) break;
      const { endSeq } = caught;
      const workspace = { id: this.#access.workspace.id, seq: endSeq };
      await whileWaiting(() =>
        feedWaiters.untilAfter(workspace, { sinceSeq: endSeq, waitSeconds: leftSeconds, signal }),
      );
      caught = await this.#readOn();
      // The wait ended without news: the server reached its limit of waiters, or shuts down.
      if (caught.endSeq === endSeq) break;
    }
    return caught;
  }

  #readOn(): Promise<CaughtUp> {
    const { store, clock } = this.#deps;
    const { prefix } = this.#query;
    const access = this.#access;
    return store.snapshot(async (reader) => {
      await requireAccessStatus(reader, authorOf(access, clock()), access.workspace.id);
      const head = await reader.changes.head(access.workspace.id);
      this.#start ??= await this.#asked(reader, head);
      const start = this.#start;
      await this.#fold(reader, head);
      const isWanted = ({ path, origin, kind }: FoldedFile) =>
        isWithin(path, prefix) ||
        (origin !== null && isWithin(origin, prefix)) ||
        (kind === 'hidden' && isWithin(prefix, path));
      const files = this.#folded
        .files()
        .filter((file) => isWanted(file) && fileNameOf(file.path) !== placeholderName);
      return {
        ...{ start, repeatedSeq: this.#repeatedSeq, unconfirmedSeq: this.#unconfirmedSeq, files },
        endSeq: this.#seq,
        isCut: this.#seq < head,
      };
    });
  }

  async #asked(reader: Reader, head: number): Promise<CatchUpStart> {
    const { since } = this.#query;
    const { workspace, actor } = this.#access;
    const afterTime = async (time: number): Promise<CatchUpStart> => {
      const first = await reader.changes.firstSeqAfter(workspace.id, time);
      return { seq: first === null ? head : first - 1, at: time };
    };
    if (since !== null) {
      const start = 'seq' in since ? { seq: since.seq, at: null } : await afterTime(since.time);
      // A cursor may be beyond the head: then every new change is news.
      this.#seq = Math.min(start.seq, head);
      this.#repeatedSeq = this.#seq;
      return start;
    }
    const now = this.#deps.clock();
    const cursors = actor.keyId === null ? [] : await reader.cursors.find(actor.keyId, workspace.id);
    const cursor = cursorFor(cursors, coveredBy(this.#query.prefix, this.#access));
    if (cursor !== null && cursor.confirmedSeq < cursor.startSeq) this.#unconfirmedSeq = cursor.confirmedSeq;
    const start =
      cursor === null ? await afterTime(now - firstTimeMs) : { seq: cursor.startSeq, at: cursor.startAt };
    this.#seq = start.seq;
    this.#repeatedSeq = Math.max(start.seq, cursor?.headSeq ?? 0);
    return start;
  }

  async #fold(reader: Reader, head: number): Promise<void> {
    const { workspace, viewer } = this.#access;
    while (this.#seq < head && this.#read < changesMax) {
      const { changes, scannedSeqs } = await reader.changes.scan({
        workspaceId: workspace.id,
        viewer,
        sinceSeq: this.#seq,
        limit: pageChanges,
        includeComments: true,
      });
      this.#read += scannedSeqs.length;
      const isLast = this.#read >= changesMax;
      const end = scannedSeqs.at(-1) ?? head;
      // A move is a delete and the next record: both belong in one response.
      const last = changes.at(-1);
      const isHalf = isLast && end < head && last?.op === 'delete' && last.seq === end;
      for (const change of isHalf ? changes.slice(0, -1) : changes) this.#folded.add(change);
      this.#seq = isHalf ? end - 1 : end;
      if (this.#seq < head) await nextTick();
    }
  }
}

function hasNews({ files, repeatedSeq, isCut }: CaughtUp): boolean {
  return isCut || files.some(({ lastSeq }) => lastSeq > repeatedSeq);
}
