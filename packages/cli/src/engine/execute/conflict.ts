// docs/decisions/0023-sync-planner.md
import {
  type Conflict,
  type Content,
  guessContentType,
  localNameProblem,
  type RemotePresumed,
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
import { type Done, leaveOut, type PassTally, skipRejected } from './pass-tally.ts';
import { conflictEntry, notStored, openPlanned, putIntent } from './send.ts';

/**
 * Uploads the local file so that the server stores it as a conflicted copy. Then it gives the file the name of the copy
 * here and downloads the server's file to the path. The path is never without a file. The process may end after each
 * step, and the next plan continues from there.
 */
export async function conflict(engine: Engine, operation: Conflict, tally: PassTally): Promise<Done> {
  const { path, local, base } = operation;
  const diskPath = local.localName ?? diskPathOf(engine, path);
  const opened = await openPlanned(engine, diskPath, local);
  if (opened.kind === 'changed') return 'again';
  if (opened.kind !== 'content') return skipRejected(engine, path, opened);
  const kept = await findKeptCopy(engine, path, local.hash);
  if (kept === 'not_found') return 'again';
  if (kept === null && engine.uploadsWait !== null) return 'again';
  // A retried text keeps its intent, so a text that waits for room on the server has only one.
  const earlier = findKept(engine, path, local);
  const intent = { ...putIntent(engine, path, null, local), ...(earlier === null ? {} : { id: earlier.id }) };
  const done: StateChange = { table: 'intent', id: intent.id, row: null };
  // Named, so that the server can merge the copy with its file.
  const presumed: RemotePresumed =
    base === null ? { kind: 'absent' } : { kind: 'file', version: base.version, hash: base.hash };
  const send = async (): Promise<PutOutcome | null> => {
    await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'durable');
    engine.awaitingEcho.add(path);
    await engine.onStep('conflict: put');
    const { content } = opened;
    try {
      return await engine.remote.put({ path, content, presumed, contentType: null }, engine.transfers);
    } catch (error) {
      if (error instanceof RemoteFailure && error.kind === 'passing') return null;
      throw error;
    }
  };
  const outcome = kept === null ? await send() : ({ kind: 'conflict', copyPath: kept } as const);
  // The server may have stored the text. If it were sent again after another user's text had lost there, it would be
  // stored twice. The feed, which is read next and with retries, reports the copy.
  if (outcome === null) return 'again';
  await engine.onStep('conflict: answered');
  if (outcome.kind !== 'conflict') {
    await engine.memory.commit([done], 'grouped');
    if (outcome.kind === 'stored') return 'again';
    if (outcome.kind === 'quota' || outcome.kind === 'file_count') {
      // The server stored nothing, so nothing changes here.
      waitWithUploads(engine, outcome.kind);
      return leaveOut(engine, path, 'conflict_unsaved', outcome.detail);
    }
    return notStored(engine, path, outcome);
  }
  const copy = outcome.copyPath;
  const { state } = engine.memory;
  // The server makes no second copy of the same text and no feed record of it.
  if (!state.base.has(copy) && !state.remote.has(copy)) engine.unconfirmed.add(copy);
  const row: StateChange = { table: 'conflict', copyPath: copy, row: { copyPath: copy, ofPath: path } };
  const fetched = await fetchStaged(engine, path, operation.remote);
  const reported = conflictEntry(engine, path, copy, local.sizeBytes);
  const begun = { ...intent, copyPath: copy };
  // Kept until the path is settled. If the server's file moves before its download, the same text would be sent again.
  await engine.memory.commit([{ table: 'intent', id: intent.id, row: begun }, row, reported], 'grouped');
  tally.conflicts.push({ path, copy });
  engine.onEvent({ event: 'conflict', path, copy });
  engine.awaitingEcho.add(copy);
  // Once the feed confirms it, `recoverIntents` continues.
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

/** The intent of this exact text at this path, if the server has stored the text since. */
function findKept({ memory }: Engine, path: WorkspacePath, here: PresumedFile): Intent | null {
  return memory.state.intents.values().find((each) => each.path === path && isKept(each, here)) ?? null;
}

/**
 * Whether the server stored exactly the local text at the path of an intent. Recorded until the winning text is here.
 */
export const isKept = ({ copyPath, stamp }: Intent, here: Pick<PresumedFile, 'stamp'>): boolean =>
  copyPath !== null && stamp === here.stamp;

/**
 * The winning text was reverted before its download, so the server's file is the base again and the local file looks
 * like an edit of it. If it were sent, the text would exist twice, and again after the next conflict.
 * @returns a conflict that downloads the server's file to the path; null if the file must be sent, because it did not
 * lose or its copy is gone
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
 * The winning file was moved or deleted in the meantime, so the path is free on the server. The local file gets the
 * name that the server gave the copy. If the text were sent to the path again, it would exist twice.
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
  // Committed first. Otherwise the missing path would count as deleted here.
  await memory.commit(baseChanges(engine, path, null), 'grouped');
  const ended = await intendRename(engine, path, copy, local);
  await engine.onStep('conflict: copy name');
  const placed = await folder.rename(diskPath, diskPathOf(engine, copy), local);
  await memory.commit(ended, 'grouped');
  if (placed.kind === 'changed' || placed.kind === 'taken') return 'again';
  if (placed.kind !== 'placed') return skipRejected(engine, path, placed);
  await memory.commit(copyChanges(engine, copy, local, placed, guessContentType(path)), 'grouped');
  return 'done';
}

/**
 * The file was written after it got the name of the copy, so the new text is at both paths. Removes the second name.
 * The copy is downloaded again as it was sent.
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
    // Another user may have changed or deleted it on the server since.
    const there = memory.state.remote.get(copy) ?? asSent;
    // Committed first. Otherwise the missing copy would count as deleted here.
    await memory.commit(baseChanges(engine, copy, null, there), 'grouped');
  }
  await folder.finishRename(alsoAt, diskPath);
}

/** Links the file to the name of its copy, if that name is possible and free. This saves a download. */
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
  // A second name changes the stamp.
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
  // Another user may have edited it on the server already. That version must still be downloaded.
  const isSent = known !== undefined && 'version' in known && (known.hash === null || known.hash === hash);
  const there = { version: isSent ? known.version : 1, hash, sizeBytes, contentType };
  const row = baseRow(engine, copy, there, { ...placed, stamp: unread(placed.stamp) }, true);
  const changes = isSent ? inSyncChanges(copy, row) : baseChanges(engine, copy, row);
  return [...changes, ...folderChanges(placed.madeFolders)];
}
