// docs/sync.md
import {
  type BaseFile,
  catchUpMsMax,
  catchUpPagesMax,
  feedPageMax,
  hasJumped,
  isWithin,
  type LeftOutReason,
  type RemoteState,
  type WorkspacePath,
} from '@stoa/core';
import { movedConflicts } from '../conflict-rows.ts';
import type { Engine } from '../engine.ts';
import type { FeedPage, FeedRecord, ListedFile } from '../ports/remote-workspace.ts';
import type { ConflictRow, SyncMeta } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withPatience } from '../with-patience.ts';

/** A page that was asked for already, after this cursor. */
export interface ToldPage {
  readonly after: number;
  readonly page: FeedPage;
}

/** `back_in_time`: the server has less than it once told of. */
export type FeedReading = 'caught_up' | 'behind' | 'back_in_time';

/**
 * Reads the feed to its head. A page's effects and the cursor are one transaction: each record is applied once, and
 * nothing that fails afterwards loses a change.
 *
 * @param spokenOf gets the paths of all records that are new.
 */
export async function readFeed(
  engine: Engine,
  told: ToldPage | null = null,
  spokenOf?: Set<WorkspacePath>,
): Promise<FeedReading> {
  const { memory, pace, remote } = engine;
  const until = pace.now() + catchUpMsMax;
  const left: LeftCopies = new Map();
  for (let pages = 0; pages < catchUpPagesMax && pace.now() < until; pages += 1) {
    const { meta } = memory.state;
    const { cursor, lastRecord } = meta;
    // What follows a jump says nothing of what stood before it.
    const isTold = pages === 0 && told?.after === cursor && !hasJumped(cursor, told.page.head);
    // The first page begins with the record that was seen last: it must still be the same one. Where none was, it begins
    // with the one at the cursor, which is known from then on.
    const after = pages === 0 ? Math.max(0, (lastRecord?.seq ?? cursor) - 1) : cursor;
    const page = isTold
      ? told.page
      : await withPatience(engine, () =>
          remote.readChanges({ cursor: after, limit: feedPageMax, waitSeconds: null }, engine.signal),
        );
    const asksForLast = pages === 0 && !isTold;
    if (page.head < cursor || isBackInTime(page, meta, asksForLast)) return 'back_in_time';
    for (const { seq, path } of page.records) if (seq > cursor) spokenOf?.add(path);
    await applyPage(engine, page, left);
    noteTold(engine, page, cursor);
    noteSpokenOf(engine, page, cursor);
    if (page.nextSeq !== page.head) continue;
    const isAllTold = engine.untold.size === 0;
    engine.fenced.clear();
    engine.sent.clear();
    engine.untold.clear();
    if (memory.state.meta.hasUntold) {
      await memory.commit([{ table: 'meta', values: { hasUntold: false } }], 'grouped');
    }
    return isAllTold ? 'caught_up' : 'back_in_time';
  }
  return 'behind';
}

/**
 * No record with the number of the last one is no proof: it may be hidden now. Where the head jumped as after a restore, it
 * is taken for one: to compare the list for nothing does no harm.
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

/** What was made private since is not told of by its own record. */
function noteTold({ untold }: Engine, { records }: FeedPage, after: number): void {
  for (const { op, path, seq } of records) {
    if (seq <= after) continue;
    untold.delete(path);
    if (op !== 'access_revoked') continue;
    for (const each of untold) if (isWithin(each, path)) untold.delete(each);
  }
}

/** What the server could not give, or keep, as it was: another record may speak of something else. */
const waitsForRecord: ReadonlySet<LeftOutReason> = new Set([
  'hidden_by_private',
  'not_on_server',
  'bytes_missing',
  'transfer_failed',
]);

/** What waits for the server is decided anew in this very pass, once a record speaks of it, or of who sees it. */
function noteSpokenOf({ waiting }: Engine, { records }: FeedPage, after: number): void {
  for (const { op, path, seq } of records) {
    if (seq <= after) continue;
    const isOfAccess = op === 'access_revoked' || op === 'access_granted';
    for (const [each, { reason }] of waiting) {
      const isSpokenOf = isOfAccess ? isWithin(each, path) : each === path;
      if (isSpokenOf && waitsForRecord.has(reason)) waiting.delete(each);
    }
  }
}

/** Conflicted copies whose delete was told of, and perhaps their move by the next record: that may be in the next page. */
type LeftCopies = Map<WorkspacePath, ConflictRow>;

async function applyPage(engine: Engine, page: FeedPage, left: LeftCopies): Promise<void> {
  const { memory, pace } = engine;
  const { cursor } = memory.state.meta;
  const records = page.records.filter(({ seq }) => seq > cursor);
  const changes: StateChange[] = [];
  const rows = new PageRows(engine, left);
  const listed = async (path: WorkspacePath): Promise<readonly ListedFile[]> =>
    (await withPatience(engine, () => engine.remote.list(path, engine.signal))).files;
  for (const record of records) {
    if (record.op === 'write' && !isOwn(engine, record)) {
      engine.storms.noteForeignWrite(record.path, record.keyName);
    }
    if (record.op === 'access_granted') {
      rows.takeListed(await listed(record.path));
      changes.push({ table: 'revoked', path: record.path, seq: null });
      continue;
    }
    if (record.op === 'access_revoked')
      changes.push({ table: 'revoked', path: record.path, seq: record.seq });
    rows.apply(record, changes);
    // What is the member's own in a folder that is now another's stays visible: the nearest owner decides.
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
      // A page that began further back may end there, too, where much of it is hidden.
      cursor: Math.max(cursor, page.nextSeq),
      lastContactAt: now,
      ...(last === undefined ? {} : { lastRecord: { seq: last.seq, id: last.id } }),
      ...(own === undefined ? {} : { keyId: own.keyId, keyName: own.keyName }),
    },
  });
  await memory.commit(changes, 'grouped');
}

/** By the key where it is known which that is; else by what was just sent from here. */
function isOwn({ settings, sent }: Engine, { keyId, keyName, op, path, version }: FeedRecord): boolean {
  if (keyName === null) return false;
  return settings.keyId === undefined
    ? op === 'write' && version !== null && sent.get(path) === version
    : keyId === settings.keyId;
}

/** What a page leaves of each path that it speaks of. */
class PageRows {
  readonly #engine: Engine;
  readonly #rows = new Map<WorkspacePath, RemoteState>();

  /** As they are after the records so far. */
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
          this.#noteConflicts(changes, [
            {
              table: 'conflict',
              copyPath: path,
              row: known ?? { copyPath: path, ofPath: conflictOf, base: null },
            },
          ]);
        }
        if (op === 'move' && movedFrom !== null) {
          // The record of its delete came just before.
          const before = this.#left.get(movedFrom);
          const all = [...this.#conflicts.values(), ...(before === undefined ? [] : [before])];
          this.#noteConflicts(changes, movedConflicts(all, movedFrom, path));
        }
        return;
      }
      case 'delete':
        this.#rows.set(path, { kind: 'absent' });
        this.#noteConflicts(changes, [{ table: 'conflict', copyPath: path, row: null }]);
        return;
      case 'access_revoked':
        // Of what was never here, nobody tells when its place is free again: a file that is new here is sent, and refused.
        for (const each of this.#tracked(path)) {
          this.#rows.set(each, { kind: this.#engine.memory.state.base.has(each) ? 'hidden' : 'absent' });
        }
        return;
      case 'access_granted':
        return;
    }
  }

  #noteConflicts(changes: StateChange[], noted: readonly StateChange[]): void {
    for (const change of noted) {
      if (change.table !== 'conflict') continue;
      const known = this.#conflicts.get(change.copyPath);
      if (change.row === null && known !== undefined) this.#left.set(change.copyPath, known);
      if (change.row === null) this.#conflicts.delete(change.copyPath);
      else this.#conflicts.set(change.copyPath, change.row);
      changes.push(change);
    }
  }

  /** What the list lacks stays as it is known: only a record takes something away. */
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

/** What equals the base has no row. */
export function differsFromBase(row: RemoteState, base: BaseFile | null): boolean {
  if (row.kind === 'absent') return base !== null;
  if (row.kind === 'hidden') return true;
  return base === null || row.hash !== base.hash || row.version !== base.version;
}
