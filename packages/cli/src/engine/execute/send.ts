// docs/sync.md
import {
  contentTypeAfterMove,
  type DeleteThere,
  guessContentType,
  isTakenWhile,
  type MoveFolderThere,
  type MoveThere,
  type PutPlaceholder,
  placeholderHash,
  placeholderText,
  type Upload,
  type WorkspacePath,
} from '@stoa/core';
import { movedConflicts } from '../conflict-rows.ts';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import type { DiskPath } from '../ports/local-folder.ts';
import type { PutOutcome } from '../ports/remote-workspace.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { recordRoom, waitWithUploads } from '../uploads-wait.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { inSyncChanges, keepDoubt, movedFolderChanges } from './base-changes.ts';
import { followInTrash } from './earlier-contents.ts';
import { type Done, leaveOut, type PassTally, skipRejected } from './pass-tally.ts';

export async function upload(engine: Engine, operation: Upload, tally: PassTally): Promise<Done> {
  const { path, local, remote: presumed } = operation;
  const old = presumed.kind === 'file' ? (engine.memory.state.base.get(path)?.sizeBytes ?? 0) : null;
  // Another upload of this plan was rejected, so this one would also be rejected.
  if (!isTaken(engine, local.sizeBytes, old)) return 'again';
  const editLoop = engine.editLoops.take(path, engine.pace.now());
  if (editLoop !== null) return leaveOut(engine, path, 'storm', editLoop.by);
  const diskPath = local.localName ?? diskPathOf(engine, path);
  const opened = await openPlanned(engine, diskPath, local);
  if (opened.kind === 'changed') return 'again';
  if (opened.kind !== 'content') return skipRejected(engine, path, opened);
  const guessed = guessContentType(path);
  const stored = operation.contentType ?? guessed;
  const contentType = stored === guessed ? null : stored;
  const intent = putIntent(engine, path, presumed.kind === 'file' ? presumed.version : null, local);
  await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'durable');
  engine.awaitingEcho.add(path);
  await engine.onStep('upload: put');
  let content = opened.content;
  let tries = 0;
  const outcome = await withRetryBudget(engine, async () => {
    tries += 1;
    if (tries > 1 && !(await isToSendAgain(engine, operation))) return { kind: 'changed' } as const;
    // A stream can be read once, so a retry opens the file again.
    if (content.kind === 'stream' && content.stream.locked) {
      const again = await engine.folder.openContent(diskPath, local);
      if (again.kind !== 'content') return { kind: 'changed' } as const;
      content = again.content;
    }
    return engine.remote.put({ path, content, presumed, contentType }, engine.transfers);
  });
  await engine.onStep('upload: answered');
  const done: StateChange[] = [{ table: 'intent', id: intent.id, row: null }];
  if (outcome.kind === 'stored') {
    const there = {
      version: outcome.version,
      hash: local.hash,
      sizeBytes: local.sizeBytes,
      contentType: stored,
    };
    const log = logEntry(engine, 'up', path, outcome.version, local.sizeBytes);
    const row = baseRow(engine, path, there, local, true);
    await engine.memory.commit([...done, ...inSyncChanges(path, row), log], 'grouped');
    if (!outcome.isUnchanged) {
      engine.sent.set(path, outcome.version);
      engine.unconfirmed.add(path);
    }
    engine.editLoops.recordUpload(path, engine.pace.now());
    engine.settling.recordSent(diskPath, local, engine.pace.now());
    if (old !== null && local.sizeBytes < old) recordRoom(engine);
    tally.up += 1;
    tally.bytesUp += local.sizeBytes;
    engine.onEvent({ event: 'up', path, version: outcome.version, bytes: local.sizeBytes });
    return 'done';
  }
  // An earlier try whose response was lost may have stored the file, whatever the result of this one. Then the intent
  // stays until the feed was read. If the server stored a conflicted copy, it stays until the other text was
  // downloaded.
  const kept = outcome.kind === 'conflict' ? { ...intent, copyPath: outcome.copyPath } : null;
  const ended: StateChange = { table: 'intent', id: intent.id, row: kept };
  if (tries === 1) await engine.memory.commit([ended], 'grouped');
  return notStored(engine, path, outcome);
}

/**
 * Whether the server has the file that the upload expects, or exactly these bytes. Otherwise the first try may have
 * lost and been stored. If the text were sent again after another user's text had lost there, it would be stored twice.
 * The feed will tell.
 */
async function isToSendAgain(engine: Engine, { path, local, remote: presumed }: Upload): Promise<boolean> {
  const head = await engine.remote.head(path, engine.transfers);
  if (head.kind !== 'file') return presumed.kind === 'absent';
  if (head.hash === local.hash) return true;
  return presumed.kind === 'file' && head.version === presumed.version && head.hash === presumed.hash;
}

function isTaken({ uploadsWait }: Engine, sizeBytes: number, oldBytes: number | null): boolean {
  return uploadsWait === null || isTakenWhile(uploadsWait.reason, sizeBytes, oldBytes);
}

export async function putPlaceholder(engine: Engine, { path, folder }: PutPlaceholder): Promise<Done> {
  if (!isTaken(engine, placeholderText.length, null)) return 'again';
  const bytes = new TextEncoder().encode(placeholderText);
  const content = { kind: 'bytes', bytes, hash: placeholderHash, sizeBytes: bytes.length } as const;
  engine.awaitingEcho.add(path);
  await engine.onStep('placeholder: put');
  const outcome = await withRetryBudget(engine, () =>
    engine.remote.put({ path, content, presumed: { kind: 'absent' }, contentType: null }, engine.transfers),
  );
  if (outcome.kind !== 'stored') return notStored(engine, path, outcome);
  const { version, isUnchanged } = outcome;
  if (!isUnchanged) engine.unconfirmed.add(path);
  const there = { version, hash: placeholderHash, sizeBytes: 1, contentType: guessContentType(path) };
  const row = baseRow(engine, path, there, null, true);
  const object = engine.folderObjects.get(folder) ?? null;
  const changes: StateChange[] = [{ table: 'folder', path: folder, row: { object } }];
  await engine.memory.commit([...inSyncChanges(path, row), ...changes], 'grouped');
  return 'done';
}

/**
 * Opens a file to send. If it is not the expected file, its stamp may still be the same. The next scan must read it, or
 * the same plan would repeat forever.
 */
export async function openPlanned({ folder, memory }: Engine, diskPath: DiskPath, local: Upload['local']) {
  const opened = await folder.openContent(diskPath, local);
  if (opened.kind === 'changed') {
    await memory.commit([{ table: 'hash_cache', path: diskPath, row: null }], 'grouped');
  }
  return opened;
}

/** Handles an upload that the server did not accept. Nothing changes here. */
export function notStored(
  engine: Engine,
  path: WorkspacePath,
  outcome: Exclude<PutOutcome, { kind: 'stored' }>,
): Done {
  switch (outcome.kind) {
    case 'changed':
    case 'conflict':
      // The bytes are stored next to the file. The next plan finds both and downloads them.
      return 'again';
    case 'path_taken':
      return rejectedLocation(engine, path);
    case 'hidden_by_private':
      return leaveOut(engine, path, 'hidden_by_private', null);
    case 'name_refused':
    case 'too_large':
      return leaveOut(engine, path, outcome.kind, outcome.detail);
    case 'read_only':
      waitWithUploads(engine, 'read_only');
      return 'again';
    case 'quota':
    case 'file_count':
      waitWithUploads(engine, outcome.kind);
      return leaveOut(engine, path, outcome.kind, outcome.detail);
  }
}

/**
 * The feed reports the obstacle. If it does not and the same operation is planned again, the obstacle is another
 * member's private item.
 */
function rejectedLocation(engine: Engine, path: WorkspacePath): Done {
  if (engine.rejectedPaths.has(path)) return leaveOut(engine, path, 'hidden_by_private', null);
  engine.rejectedPaths.add(path);
  return 'again';
}

export async function deleteThere(
  engine: Engine,
  { path, remote }: DeleteThere,
  tally: PassTally,
): Promise<Done> {
  engine.awaitingEcho.add(path);
  await engine.onStep('delete: ask');
  if (await isThereAgain(engine, path)) return 'again';
  const outcome = await withRetryBudget(engine, () => engine.remote.delete(path, remote, engine.transfers));
  await engine.onStep('delete: answered');
  // It is already gone or was changed. The feed tells which.
  if (outcome.kind !== 'deleted') return 'again';
  engine.unconfirmed.add(path);
  recordRoom(engine);
  const log = logEntry(engine, 'deleted_there', path, remote.version, null);
  const conflict: StateChange = { table: 'conflict', copyPath: path, row: null };
  await engine.memory.commit([...inSyncChanges(path, null), conflict, log], 'grouped');
  tally.deletedThere += 1;
  engine.onEvent({ event: 'deleted_there', path, version: remote.version, bytes: null });
  return 'done';
}

/**
 * Whether the path is occupied again since the last scan, even for a moment during a rename. A disk that treats two
 * names as the same may show another file, which the scan found under its own name.
 */
async function isThereAgain(engine: Engine, path: WorkspacePath): Promise<boolean> {
  const { folder, memory, traits, view } = engine;
  const isPlaceholder = memory.state.base.get(path)?.stamp === null;
  if (isPlaceholder) return false;
  const entry = await folder.readEntry(diskPathOf(engine, path), { ns: 0n });
  switch (entry.kind) {
    case 'unreadable':
      return true;
    case 'file':
      return !traits.names.foldsCase || (entry.object !== null && !view.hasSeen(entry.object));
    case 'symlink':
    case 'special_file':
      return !traits.names.foldsCase;
    case 'blocked':
      return entry.by === 'symlink_above';
    default:
      return false;
  }
}

export async function moveThere(engine: Engine, operation: MoveThere, tally: PassTally): Promise<Done> {
  const { from, path, remote, local } = operation;
  const row = engine.memory.state.base.get(from);
  if (row === undefined) return 'again';
  const asked = { path: from, toPath: path, version: remote.version, hash: remote.hash, stamp: null };
  const intent: Intent = { ...intentOf(engine), kind: 'move', ...asked };
  const ended: StateChange = { table: 'intent', id: intent.id, row: null };
  await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'durable');
  engine.awaitingEcho.add(path);
  engine.awaitingEcho.add(from);
  await engine.onStep('move: ask');
  const outcome = await withRetryBudget(engine, () =>
    engine.remote.move(from, path, remote, engine.transfers),
  );
  await engine.onStep('move: answered');
  switch (outcome.kind) {
    case 'moved':
      break;
    case 'name_refused':
      return leaveOut(engine, path, 'name_refused', outcome.detail);
    // `not_found`: the source is gone, or another member's private item is at the target.
    case 'not_found':
    case 'path_taken':
    case 'destination_exists':
      return rejectedLocation(engine, path);
    default:
      // An earlier try whose response was lost may have moved it. The intent stays until the feed was read.
      return 'again';
  }
  engine.unconfirmed.add(from).add(path);
  keepDoubt(engine, from, path);
  const isSame = remote.hash === row.hash;
  const contentType = contentTypeAfterMove(row.contentType, from, path);
  const here = local !== null && local.hash === row.hash ? local : null;
  const moved = {
    ...row,
    contentType,
    version: isSame ? outcome.version : row.version,
    localName: local?.localName ?? null,
    ...(here === null ? {} : { stamp: here.stamp, object: here.object, mode: here.mode }),
  };
  const origin = { movedFrom: from, conflictOf: null, seq: 0 };
  const there = { kind: 'file', version: outcome.version, hash: remote.hash, sizeBytes: null } as const;
  const changes: StateChange[] = [
    ended,
    ...inSyncChanges(from, null),
    ...movedConflicts(engine.memory.state.conflicts.values(), from, path),
    { table: 'base', path, row: moved },
    { table: 'remote', path, row: isSame ? null : { ...there, contentType, ...origin } },
    ...(await followInTrash(engine, from, path)),
    logEntry(engine, 'moved', path, outcome.version, null),
  ];
  await engine.memory.commit(changes, 'grouped');
  tally.moved += 1;
  engine.onEvent({ event: 'moved', path, from });
  return 'done';
}

export async function moveFolderThere(engine: Engine, { from, path }: MoveFolderThere): Promise<Done> {
  await engine.onStep('move folder: ask');
  await withRetryBudget(engine, () => engine.remote.moveFolder(from, path, engine.transfers));
  await engine.memory.commit(movedFolderChanges(engine, from, path), 'grouped');
  return 'done';
}

export function putIntent(
  engine: Engine,
  path: WorkspacePath,
  version: number | null,
  { hash, stamp }: Upload['local'],
): Intent {
  return { ...intentOf(engine), kind: 'put', path, toPath: null, version, hash, stamp };
}

/** Fields common to all intents. */
export function intentOf({ pace, memory }: Engine) {
  return {
    id: pace.newId(),
    staging: null,
    seq0: memory.state.meta.cursor,
    step: 'asked',
    copyPath: null,
  } as const;
}

export function logEntry(
  { pace }: Engine,
  op: string,
  path: WorkspacePath,
  version: number | null,
  bytes: number | null,
  outcome = 'done',
): StateChange {
  return { table: 'log', entry: { at: pace.wallNow(), op, path, version, bytes, ms: null, outcome } };
}

/** Log entry of a losing text under the path of its file, with its current location. */
export function conflictEntry(
  engine: Engine,
  path: WorkspacePath,
  copy: WorkspacePath,
  bytes: number | null,
): StateChange {
  return logEntry(engine, 'conflict', path, null, bytes, `kept as ${copy}`);
}
