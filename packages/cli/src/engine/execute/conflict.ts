// docs/decisions/0054-a-conflict-is-a-stale-upload.md
import {
  type Conflict,
  type Content,
  guessContentType,
  localNameProblem,
  type Upload,
  type WorkspacePath,
} from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import { remoteFileOf } from '../observe/read-feed.ts';
import type { DiskPath, PlacedFile, PresumedFile } from '../ports/local-folder.ts';
import { type PutOutcome, RemoteFailure } from '../ports/remote-workspace.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { waitWithUploads } from '../uploads-wait.ts';
import { baseChanges, folderChanges, inSyncChanges } from './base-changes.ts';
import { intendRename } from './change-here.ts';
import { type Fetched, fetchStaged, replaceBy } from './fetch.ts';
import { findKeptCopy } from './kept-copies.ts';
import { type Done, leaveOut, leaveOutRefused, type PassTally } from './pass-tally.ts';
import { conflictEntry, notStored, openPlanned, putIntent } from './send.ts';

/**
 * Sends what is here so that the server keeps it beside its own, gives it that name here as well, and brings the server's
 * to the path. The path is never without a file, and each step may be the last one: the next plan goes on from there.
 */
export async function conflict(engine: Engine, operation: Conflict, tally: PassTally): Promise<Done> {
  const { path, local, base } = operation;
  const diskPath = local.localName ?? diskPathOf(engine, path);
  const opened = await openPlanned(engine, diskPath, local);
  if (opened.kind === 'changed') return 'again';
  if (opened.kind !== 'content') return leaveOutRefused(engine, path, opened);
  const kept = await findKeptCopy(engine, path, local.hash);
  if (kept === 'not_found') return 'again';
  if (kept === null && engine.uploadsWait !== null) return 'again';
  // Of one text that waits for room here there is one, however often it is tried.
  const earlier = findKept(engine, path, local);
  const intent = { ...putIntent(engine, path, null, local), ...(earlier === null ? {} : { id: earlier.id }) };
  const done: StateChange = { table: 'intent', id: intent.id, row: null };
  const send = async (): Promise<PutOutcome | null> => {
    await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'durable');
    engine.fenced.add(path);
    await engine.onStep('conflict: put');
    const { content } = opened;
    try {
      return await engine.remote.put(
        { path, content, presumed: { kind: 'absent' }, contentType: null },
        engine.transfers,
      );
    } catch (error) {
      if (error instanceof RemoteFailure && error.kind === 'passing') return null;
      throw error;
    }
  };
  const outcome = kept === null ? await send() : ({ kind: 'conflict', copyPath: kept } as const);
  // It may be kept there. Sent again, it would be kept twice once somebody else's text has lost there as well: the feed,
  // which is read next and with patience, tells of the copy.
  if (outcome === null) return 'again';
  await engine.onStep('conflict: answered');
  if (outcome.kind !== 'conflict') {
    await engine.memory.commit([done], 'grouped');
    if (outcome.kind === 'stored') return 'again';
    if (outcome.kind === 'quota' || outcome.kind === 'file_count') {
      // Nothing was kept there, so that nothing changes here.
      waitWithUploads(engine, outcome.kind);
      return leaveOut(engine, path, 'conflict_unsaved', outcome.detail);
    }
    return notStored(engine, path, outcome);
  }
  const copy = outcome.copyPath;
  const { state } = engine.memory;
  // The server makes no second copy of the same text, and no record of it.
  if (!state.base.has(copy) && !state.remote.has(copy)) engine.untold.add(copy);
  const known = base === null ? null : { version: base.version, hash: base.hash };
  const row: StateChange = {
    table: 'conflict',
    copyPath: copy,
    row: { copyPath: copy, ofPath: path, base: known },
  };
  const fetched = await fetchStaged(engine, path, operation.remote);
  const told = conflictEntry(engine, path, copy, local.sizeBytes);
  const begun = { ...intent, copyPath: copy };
  // Until the path is settled: where the server's file goes before it was fetched, the same text would be sent once more.
  await engine.memory.commit([{ table: 'intent', id: intent.id, row: begun }, row, told], 'grouped');
  tally.conflicts.push({ path, copy });
  engine.onEvent({ event: 'conflict', path, copy });
  engine.fenced.add(copy);
  // Once the feed says so, too: `recoverIntents` goes on from there.
  if (fetched === 'not_found') return 'again';
  if (typeof fetched === 'string') return fetched;
  const second = await giveSecondName(engine, diskPath, copy, local, fetched, begun);
  if (second.kind === 'again') {
    await engine.folder.discardStaged(fetched.staged.id);
    return 'again';
  }
  const replacement = {
    staged: fetched.staged,
    got: fetched.got,
    presumed: second.presumed,
    alsoAt: second.alsoAt,
  };
  const ended = await replaceBy(engine, path, replacement, tally);
  if (ended === 'done') await engine.memory.commit([done], 'grouped');
  if (ended === 'again' && second.alsoAt !== null && !engine.waiting.has(path)) {
    await takeBackSecondName(engine, { path, diskPath, copy, alsoAt: second.alsoAt });
  }
  return ended;
}

/** What is written down of this very text at this path since the server kept it. */
function findKept({ memory }: Engine, path: WorkspacePath, here: PresumedFile): Intent | null {
  return memory.state.intents.values().find((each) => each.path === path && isKept(each, here)) ?? null;
}

/** Whether the server kept the very text that stands at the path of an intent: noted until what won is here. */
export const isKept = ({ copyPath, stamp }: Intent, here: Pick<PresumedFile, 'stamp'>): boolean =>
  copyPath !== null && stamp === here.stamp;

/**
 * What a text lost against was taken back before it was fetched: there it is as in the base again, and the file here looks
 * like an edit of that. Sent, the same text would stand twice, and once more where it loses again.
 *
 * @returns what brings the server's to the path; null where the file is to be sent: it did not lose, or its copy is gone.
 */
export async function lostBefore(engine: Engine, operation: Upload): Promise<Conflict | 'again' | null> {
  const { path, local } = operation;
  const { base, remote } = engine.memory.state;
  const known = base.get(path);
  if (known === undefined || findKept(engine, path, local) === null) return null;
  const there = remote.get(path) ?? remoteFileOf({ ...known, path });
  if (there.kind !== 'file' || there.hash !== known.hash) return null;
  const kept = await findKeptCopy(engine, path, local.hash);
  if (kept === 'not_found') return 'again';
  if (kept === null) return null;
  return { ...operation, kind: 'conflict', remote: { ...there, hash: known.hash }, base: known };
}

/**
 * What it lost against was moved or deleted meanwhile. The path is as it is there, empty, and the file has the name that
 * the server gave it: sent to the path again, the same text would stand twice.
 */
export async function giveCopyName(
  engine: Engine,
  path: WorkspacePath,
  diskPath: DiskPath,
  copy: WorkspacePath,
  local: PresumedFile & Content,
): Promise<Done> {
  const { folder, memory, traits } = engine;
  if (localNameProblem(copy, traits.names) !== null) return leaveOut(engine, path, 'not_on_server', null);
  // First written down: a path that is missing here is otherwise one that was deleted.
  await memory.commit(baseChanges(engine, path, null), 'grouped');
  const ended = await intendRename(engine, path, copy, local);
  await engine.onStep('conflict: copy name');
  const placed = await folder.rename(diskPath, diskPathOf(engine, copy), local);
  await memory.commit(ended, 'grouped');
  if (placed.kind === 'changed' || placed.kind === 'taken') return 'again';
  if (placed.kind !== 'placed') return leaveOutRefused(engine, path, placed);
  await memory.commit(copyChanges(engine, copy, local, placed, guessContentType(path)), 'grouped');
  return 'done';
}

/**
 * The file was written after it had got the copy's name: what was written would stand at both paths. The copy comes again
 * from the server, as it was sent.
 */
export async function takeBackSecondName(
  engine: Engine,
  names: {
    readonly path: WorkspacePath;
    readonly diskPath: string;
    readonly copy: WorkspacePath;
    readonly alsoAt: string;
  },
): Promise<void> {
  const { folder, memory } = engine;
  const { path, diskPath, copy, alsoAt } = names;
  const row = memory.state.base.get(copy);
  if (row !== undefined) {
    const { version, hash, sizeBytes, contentType } = row;
    const origin = { movedFrom: null, conflictOf: path, seq: 0 };
    const asSent = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
    // Somebody may have changed or deleted it there since.
    const there = memory.state.remote.get(copy) ?? asSent;
    // First written down: a copy that is missing here is otherwise one that was deleted.
    await memory.commit(baseChanges(engine, copy, null, there), 'grouped');
  }
  await folder.finishRename(alsoAt, diskPath);
}

/** Links the file to its copy's name, so that nothing has to be fetched for it, where the name is possible and free. */
async function giveSecondName(
  engine: Engine,
  diskPath: string,
  copy: WorkspacePath,
  local: Conflict['local'],
  { got }: Fetched,
  begun: Intent,
): Promise<
  | { readonly kind: 'again' }
  | { readonly kind: 'named'; readonly presumed: PresumedFile; readonly alsoAt: string | null }
> {
  const { folder, traits } = engine;
  const only = { kind: 'named', presumed: local, alsoAt: null } as const;
  if (localNameProblem(copy, traits.names) !== null || got.hash === local.hash) return only;
  await engine.onStep('conflict: second name');
  const copyPath = diskPathOf(engine, copy);
  const placed = await folder.duplicate(diskPath, copyPath, local);
  if (placed.kind === 'changed') return { kind: 'again' };
  if (placed.kind !== 'placed') return only;
  const changes = copyChanges(engine, copy, local, placed, got.contentType);
  if (!traits.hasHardLinks) {
    await engine.memory.commit(changes, 'grouped');
    return only;
  }
  // A second name is a new stamp.
  const row = { ...begun, stamp: placed.stamp };
  await engine.memory.commit([...changes, { table: 'intent', id: row.id, row }], 'grouped');
  return { kind: 'named', presumed: { stamp: placed.stamp, hash: local.hash }, alsoAt: copyPath };
}

function copyChanges(
  engine: Engine,
  copy: WorkspacePath,
  { hash, sizeBytes }: Content,
  placed: PlacedFile,
  contentType: string,
): StateChange[] {
  const { base, remote } = engine.memory.state;
  const known = remote.get(copy) ?? base.get(copy);
  // Somebody may have edited it there already: that is still to be fetched.
  const isSent = known !== undefined && 'version' in known && (known.hash === null || known.hash === hash);
  const there = { version: isSent ? known.version : 1, hash, sizeBytes, contentType };
  const row = baseRow(engine, copy, there, { ...placed, stamp: unread(placed.stamp) }, true);
  const changes = isSent ? inSyncChanges(copy, row) : baseChanges(engine, copy, row);
  return [...changes, ...folderChanges(placed.madeFolders)];
}
