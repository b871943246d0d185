// docs/sync.md
import {
  type BaseFile,
  catchUpMsMax,
  catchUpPagesMax,
  feedPageMax,
  hasJumped,
  isWithin,
  type RemoteState,
  type SkipReason,
  type WorkspacePath,
} from '@stoa/core';
import { movedConflicts } from '../conflict-rows.ts';
import type { Engine } from '../engine.ts';
import type { FeedPage, FeedRecord, ListedFile } from '../ports/remote-workspace.ts';
import type { ConflictRow, SyncMeta } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withRetryBudget } from '../with-retry-budget.ts';

/** A page that was already requested, after this cursor. */
export interface ReportedPage {
  readonly after: number;
  readonly page: FeedPage;
}

/** `back_in_time`: the server lacks changes that it had reported. */
export type FeedReading = 'caught_up' | 'behind' | 'back_in_time';

/**
 * Reads the feed to its head. The changes of a page and the cursor are one transaction, so that each record is applied
 * once, and later failures lose nothing.
 * @param spokenOf receives the paths of all new records
 */
export async function readFeed(
  engine: Engine,
  reported: ReportedPage | null = null,
  spokenOf?: Set<WorkspacePath>,
): Promise<FeedReading> {
  const { memory, pace, remote } = engine;
  const until = pace.now() + catchUpMsMax;
  const left: LeftCopies = new Map();
  for (let pages = 0; pages < catchUpPagesMax && pace.now() < until; pages += 1) {
    const { meta } = memory.state;
    const { cursor, lastRecord } = meta;
    // Records after a jump say nothing about the state before it.
    const isReported = pages === 0 && reported?.after === cursor && !hasJumped(cursor, reported.page.head);
    // The first page begins with the last seen record, which must be unchanged. Without one, it begins with the record
    // at the cursor, which is known from then on.
    const after = pages === 0 ? Math.max(0, (lastRecord?.seq ?? cursor) - 1) : cursor;
    const page = isReported
      ? reported.page
      : await withRetryBudget(engine, () =>
          remote.readChanges({ cursor: after, limit: feedPageMax, waitSeconds: null }, engine.signal),
        );
    const asksForLast = pages === 0 && !isReported;
    if (page.head < cursor || isBackInTime(page, meta, asksForLast)) return 'back_in_time';
    for (const { seq, path } of page.records) if (seq > cursor) spokenOf?.add(path);
    await applyPage(engine, page, left);
    recordReported(engine, page, cursor);
    recordMentioned(engine, page, cursor);
    if (page.nextSeq !== page.head) continue;
    const isAllReported = engine.unconfirmed.size === 0;
    engine.awaitingEcho.clear();
    engine.sent.clear();
    engine.unconfirmed.clear();
    if (memory.state.meta.hasUntold) {
      await memory.commit([{ table: 'meta', values: { hasUntold: false } }], 'grouped');
    }
    return isAllReported ? 'caught_up' : 'back_in_time';
  }
  return 'behind';
}

/**
 * A missing record proves nothing, because it may be hidden now. If the head has jumped as after a restore, assume a
 * restore. A needless comparison with the list does no harm.
 */
function isBackInTime(
  { records, head, nextSeq }: FeedPage,
  { cursor, lastRecord }: Pick<SyncMeta, 'cursor' | 'lastRecord'>,
  asksForLast: boolean,
): boolean {
  if (nextSeq > head) return true;
  const [first] = records;
  if (lastRecord !== null) {
    if (head < lastRecord.seq) return true;
    if (first?.seq === lastRecord.seq) return first.id !== lastRecord.id;
  }
  return asksForLast && hasJumped(lastRecord?.seq ?? cursor, head);
}

/** Files made private since have no record of their own. */
function recordReported({ unconfirmed }: Engine, { records }: FeedPage, after: number): void {
  for (const { op, path, seq } of records) {
    if (seq <= after) continue;
    unconfirmed.delete(path);
    if (op !== 'access_revoked') continue;
    for (const each of unconfirmed) if (isWithin(each, path)) unconfirmed.delete(each);
  }
}

/** Reasons that lie with the server. A later record may change the situation. */
const waitsForRecord: ReadonlySet<SkipReason> = new Set([
  'hidden_by_private',
  'not_on_server',
  'bytes_missing',
  'transfer_failed',
]);

/**
 * Ends the wait of paths that wait for the server, once a record mentions them or their access. This pass then decides
 * again.
 */
function recordMentioned({ waiting }: Engine, { records }: FeedPage, after: number): void {
  for (const { op, path, seq } of records) {
    if (seq <= after) continue;
    const isOfAccess = op === 'access_revoked' || op === 'access_granted';
    for (const [each, { reason }] of waiting) {
      const isSpokenOf = isOfAccess ? isWithin(each, path) : each === path;
      if (isSpokenOf && waitsForRecord.has(reason)) waiting.delete(each);
    }
  }
}

/** Rows of conflicted copies with a delete record. The next record, perhaps on the next page, may be their move. */
type LeftCopies = Map<WorkspacePath, ConflictRow>;

async function applyPage(engine: Engine, page: FeedPage, left: LeftCopies): Promise<void> {
  const { memory, pace } = engine;
  const { cursor } = memory.state.meta;
  const records = page.records.filter(({ seq }) => seq > cursor);
  const changes: StateChange[] = [];
  const rows = new PageRows(engine, left);
  const listed = async (path: WorkspacePath): Promise<readonly ListedFile[]> =>
    (await withRetryBudget(engine, () => engine.remote.list(path, engine.signal))).files;
  for (const record of records) {
    if (record.op === 'write' && !isOwn(engine, record)) {
      engine.editLoops.recordForeignWrite(record.path, record.keyName);
    }
    if (record.op === 'access_granted') {
      rows.takeListed(await listed(record.path));
      changes.push({ table: 'revoked', path: record.path, seq: null });
      continue;
    }
    if (record.op === 'access_revoked')
      changes.push({ table: 'revoked', path: record.path, seq: record.seq });
    rows.apply(record, changes);
    // The member's own items in a folder that became private stay visible: the nearest owner decides.
    if (record.op === 'access_revoked' && rows.tracks(record.path))
      rows.takeListed(await listed(record.path));
  }
  changes.push(...rows.changes());
  const last = page.records.at(-1);
  const own = records.findLast((record) => isOwn(engine, record));
  const now = pace.wallNow();
  changes.push({
    table: 'meta',
    values: {
      // A page that began further back may also end there, if many of its records are hidden.
      cursor: Math.max(cursor, page.nextSeq),
      lastContactAt: now,
      ...(last === undefined ? {} : { lastRecord: { seq: last.seq, id: last.id } }),
      ...(own === undefined ? {} : { keyId: own.keyId, keyName: own.keyName }),
    },
  });
  await memory.commit(changes, 'grouped');
}

/** Decides by the id of the key if known, else by the versions just sent from here. */
function isOwn({ settings, sent }: Engine, { keyId, keyName, op, path, version }: FeedRecord): boolean {
  if (keyName === null) return false;
  return settings.keyId === undefined
    ? op === 'write' && version !== null && sent.get(path) === version
    : keyId === settings.keyId;
}

/** The rows of all paths of a page after its records. */
class PageRows {
  readonly #engine: Engine;
  readonly #rows = new Map<WorkspacePath, RemoteState>();

  /** The rows after the records so far. */
  readonly #conflicts: Map<WorkspacePath, ConflictRow>;
  readonly #left: LeftCopies;

  constructor(engine: Engine, left: LeftCopies) {
    this.#engine = engine;
    this.#left = left;
    this.#conflicts = new Map(engine.memory.state.conflicts);
  }

  apply(record: FeedRecord, changes: StateChange[]): void {
    const { path, op } = record;
    switch (op) {
      case 'write':
      case 'move':
      case 'restore':
      case 'conflict': {
        const { version, hash, movedFrom, conflictOf, seq } = record;
        const hashKnown = op === 'conflict' ? null : hash;
        const origin = { movedFrom: op === 'move' ? movedFrom : null, conflictOf, seq };
        const facts = { sizeBytes: null, contentType: null };
        this.#rows.set(path, { kind: 'file', version: version ?? 1, hash: hashKnown, ...facts, ...origin });
        if (op === 'conflict' && conflictOf !== null) {
          const known = this.#conflicts.get(path);
          this.#recordConflicts(changes, [
            {
              table: 'conflict',
              copyPath: path,
              row: known ?? { copyPath: path, ofPath: conflictOf },
            },
          ]);
        }
        if (op === 'move' && movedFrom !== null) {
          // Its delete record came just before.
          const before = this.#left.get(movedFrom);
          const all = [...this.#conflicts.values(), ...(before === undefined ? [] : [before])];
          this.#recordConflicts(changes, movedConflicts(all, movedFrom, path));
        }
        return;
      }
      case 'delete':
        this.#rows.set(path, { kind: 'absent' });
        this.#recordConflicts(changes, [{ table: 'conflict', copyPath: path, row: null }]);
        return;
      case 'access_revoked':
        // No record reports when a path that was never here becomes free again. So it counts as absent: a new local
        // file is sent and rejected.
        for (const each of this.#tracked(path)) {
          this.#rows.set(each, { kind: this.#engine.memory.state.base.has(each) ? 'hidden' : 'absent' });
        }
        return;
      case 'access_granted':
        return;
    }
  }

  #recordConflicts(changes: StateChange[], recorded: readonly StateChange[]): void {
    for (const change of recorded) {
      if (change.table !== 'conflict') continue;
      const known = this.#conflicts.get(change.copyPath);
      if (change.row === null && known !== undefined) this.#left.set(change.copyPath, known);
      if (change.row === null) this.#conflicts.delete(change.copyPath);
      else this.#conflicts.set(change.copyPath, change.row);
      changes.push(change);
    }
  }

  /** Paths missing from the list keep their state. Only a record removes a file. */
  takeListed(files: readonly ListedFile[]): void {
    for (const file of files) this.#rows.set(file.path, remoteFileOf(file));
  }

  tracks(prefix: WorkspacePath): boolean {
    return this.#tracked(prefix).length > 0;
  }

  #tracked(prefix: WorkspacePath): WorkspacePath[] {
    const { base, remote } = this.#engine.memory.state;
    const all = new Set([...base.keys(), ...remote.keys(), ...this.#rows.keys()]);
    return [...all].filter((path) => isWithin(path, prefix));
  }

  changes(): StateChange[] {
    const { base } = this.#engine.memory.state;
    return [...this.#rows].map(([path, row]) => ({
      table: 'remote',
      path,
      row: differsFromBase(row, base.get(path) ?? null) ? row : null,
    }));
  }
}

export function remoteFileOf({ version, hash, sizeBytes, contentType }: ListedFile): RemoteState {
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  return { kind: 'file', version, hash, sizeBytes, contentType, ...origin };
}

/** A remote state that equals the base needs no row. */
export function differsFromBase(row: RemoteState, base: BaseFile | null): boolean {
  if (row.kind === 'absent') return base !== null;
  if (row.kind === 'hidden') return true;
  return base === null || row.hash !== base.hash || row.version !== base.version;
}
