// docs/sync.md
import {
  type ContentHash,
  type Download,
  folderOf,
  isPlaceholder,
  type MakeFolder,
  type SyncOperation,
  smallBodyBytes,
  type Wanted,
  type WorkspacePath,
} from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import {
  DiskRejectedError,
  type PresumedFile,
  type Replaced,
  type ReplacedFile,
  type Staged,
} from '../ports/local-folder.ts';
import type { RemoteHead } from '../ports/remote-workspace.ts';
import type { Intent } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { folderChanges, inSyncChanges } from './base-changes.ts';
import { keepInQuarantine, takeBack } from './keep-in-quarantine.ts';
import { type Done, leaveOut, type PassTally, skipRejected } from './pass-tally.ts';
import { intentOf, logEntry } from './send.ts';

export interface Fetched {
  readonly kind: 'fetched';
  readonly staged: Staged;
  readonly got: RemoteHead;
}

/** Downloads the server's current content into staging: the planned content or a newer one. */
export async function fetchStaged(
  engine: Engine,
  path: WorkspacePath,
  wanted: Wanted,
): Promise<Fetched | Done | 'not_found'> {
  const copied = await copyStaged(engine, path, wanted);
  if (copied !== null) return copied;
  const id = engine.pace.newId();
  const file = await engine.folder.stage(id, wanted.sizeBytes ?? 0);
  if (file.kind !== 'writing') return skipRejected(engine, path, file);
  await engine.onStep('download: get');
  try {
    const got = await withRetryBudget(engine, () => engine.remote.download(path, file, engine.transfers));
    switch (got.kind) {
      case 'file':
        // It is newer than the feed so far. Older records of the path may still follow.
        if (got.version !== wanted.version || (wanted.hash ?? got.hash) !== got.hash)
          engine.awaitingEcho.add(path);
        return { kind: 'fetched', got, staged: await file.finish() };
      case 'not_found':
        await file.discard();
        return 'not_found';
      case 'bytes_missing':
        await file.discard();
        return leaveOut(engine, path, 'bytes_missing', null);
      case 'transfer_failed':
        await file.discard();
        return leaveOut(engine, path, 'transfer_failed', got.detail);
    }
  } catch (error) {
    await file.discard();
    if (error instanceof DiskRejectedError) return skipRejected(engine, path, error.rejection);
    throw error;
  }
}

/** Copies another local file with exactly this content. Null without such a file; then the content is downloaded. */
async function copyStaged(engine: Engine, path: WorkspacePath, wanted: Wanted): Promise<Fetched | null> {
  const { hash } = wanted;
  const source = hash === null ? undefined : engine.contentsHere.get(hash);
  const known = source === undefined ? undefined : engine.memory.state.base.get(source);
  if (hash === null || source === undefined || known?.hash !== hash) return null;
  const got = await headOf(engine, path, { ...wanted, hash }, known.sizeBytes);
  if (got === null) return null;
  await engine.onStep('download: copy');
  const staged = await engine.folder.stageCopy(engine.pace.newId(), diskPathOf(engine, source), hash);
  return staged.kind === 'staged' ? { kind: 'fetched', staged, got } : null;
}

/** Facts of the server's file without its bytes. Only requested if that is cheaper than the bytes. */
async function headOf(
  engine: Engine,
  path: WorkspacePath,
  { version, hash, contentType }: Wanted & { readonly hash: ContentHash },
  sizeBytes: number,
): Promise<RemoteHead | null> {
  if (contentType !== null) return { kind: 'file', version, hash, sizeBytes, contentType };
  if (sizeBytes < smallBodyBytes) return null;
  const head = await withRetryBudget(engine, () => engine.remote.head(path, engine.transfers));
  return head.kind === 'file' && head.hash === hash ? head : null;
}

export async function download(engine: Engine, operation: Download, tally: PassTally): Promise<Done> {
  const { path, wanted, over } = operation;
  const diskPath = diskPathOf(engine, path);
  const fetched = await fetchStaged(engine, path, wanted);
  // It only follows that the file is not available now. Only a feed record removes a file.
  if (fetched === 'not_found') return leaveOut(engine, path, 'not_on_server', null);
  if (typeof fetched === 'string') return fetched;
  const { got, staged } = fetched;
  if (over.kind === 'absent' && isPlaceholder(path, got.hash)) {
    await engine.folder.discardStaged(staged.id);
    return makeFolderOf(engine, path, got);
  }
  if (over.kind === 'file')
    return replaceBy(engine, path, { staged, got, presumed: over, alsoAt: null }, tally);
  // The content is not the planned one, or its hash was unknown. The intent lets the next process recognise it.
  if (got.hash !== wanted.hash) await engine.memory.commit([createIntent(engine, path, got)], 'grouped');
  await engine.onStep('download: create');
  const placed = await engine.folder.create(diskPath, staged.id);
  if (placed.kind !== 'placed') {
    await engine.folder.discardStaged(staged.id);
    return placed.kind === 'changed' || placed.kind === 'taken'
      ? 'again'
      : skipRejected(engine, path, placed);
  }
  const row = baseRow(engine, path, fieldsOf(got), placed, false);
  const log = logEntry(engine, 'down', path, got.version, got.sizeBytes);
  const changes = [...inSyncChanges(path, row), ...folderChanges(placed.madeFolders), log];
  await engine.memory.commit([...changes, ...endCreating(engine, [path])], 'grouped');
  engine.unflushed.add(path);
  recordDown(engine, path, got, tally);
  return 'done';
}

/**
 * Records in one commit all files that the plan creates here. If the process ends before it records a created file, the
 * next one knows it as the server's, even if the server has moved it since.
 */
export async function intendCreating(engine: Engine, operations: readonly SyncOperation[]): Promise<void> {
  const changes = operations.flatMap((each): StateChange[] => {
    if (each.kind !== 'download' || each.over.kind !== 'absent' || each.wanted.hash === null) return [];
    return [createIntent(engine, each.path, each.wanted)];
  });
  if (changes.length > 0) await engine.memory.commit(changes, 'grouped');
}

function createIntent(
  engine: Engine,
  path: WorkspacePath,
  { version, hash }: Pick<Wanted, 'version' | 'hash'>,
): StateChange {
  const { creating } = engine;
  const row: Intent = { ...intentOf(engine), kind: 'create', path, toPath: null, version, hash, stamp: null };
  const id = creating.get(path) ?? row.id;
  creating.set(path, id);
  return { table: 'intent', id, row: { ...row, id } };
}

export function endCreating({ creating }: Engine, paths: Iterable<WorkspacePath>): StateChange[] {
  return [...paths].flatMap((path): StateChange[] => {
    const id = creating.get(path);
    creating.delete(path);
    return id === undefined ? [] : [{ table: 'intent', id, row: null }];
  });
}

interface Replacement {
  readonly staged: Staged;
  readonly got: RemoteHead;
  readonly presumed: PresumedFile;
  /** The second name that keeps the replaced file. */
  readonly alsoAt: string | null;
}

export async function replaceBy(
  engine: Engine,
  path: WorkspacePath,
  { staged, got, presumed, alsoAt }: Replacement,
  tally: PassTally,
): Promise<Done> {
  await engine.onStep('download: replace');
  const { state } = engine.memory;
  const isOfBase = !state.remote.has(path) && state.base.get(path)?.hash === got.hash;
  const replaced = await engine.folder.replace(diskPathOf(engine, path), staged.id, presumed, alsoAt);
  if (replaced.kind !== 'replaced') {
    await engine.folder.discardStaged(staged.id);
    return replaced.kind === 'changed' ? 'again' : skipRejected(engine, path, replaced);
  }
  const row = baseRow(engine, path, fieldsOf(got), replaced, true);
  const log = logEntry(engine, 'down', path, got.version, got.sizeBytes);
  const trashId = engine.pace.newId();
  const trash = trashChange(engine, trashId, path, presumed, replaced);
  await engine.memory.commit([...inSyncChanges(path, row), ...trash, log], 'grouped');
  const { replaced: old } = replaced;
  if (old?.isAsPlanned === false && isOfBase) {
    await takeBack(engine, path, row, { trashed: old.trashed, trashId }, tally);
    return 'again';
  }
  if (old !== null) await inspectReplaced(engine, path, { replaced: old, trashId }, tally);
  recordDown(engine, path, got, tally);
  return 'done';
}

/** Bytes that another process wrote at the last moment are stored nowhere else. They become a conflicted copy. */
export async function inspectReplaced(
  engine: Engine,
  path: WorkspacePath,
  { replaced, trashId }: { readonly replaced: ReplacedFile; readonly trashId: string },
  tally: PassTally,
): Promise<void> {
  const { trashed } = replaced;
  if (replaced.isAsPlanned) engine.replacedFiles.push({ path, trashed, trashId, at: engine.pace.now() });
  else await keepInQuarantine(engine, path, { trashed, trashId }, tally);
}

function trashChange(
  { pace }: Engine,
  id: string,
  path: WorkspacePath,
  { hash }: PresumedFile,
  { replaced }: Replaced,
): StateChange[] {
  if (replaced === null) return [];
  const { file, sizeBytes } = replaced.trashed;
  const row = { id, path, hash, sizeBytes, why: 'replaced', at: pace.wallNow(), file } as const;
  return [{ table: 'trash', id, row }];
}

function recordDown(
  engine: Engine,
  path: WorkspacePath,
  { version, sizeBytes }: RemoteHead,
  tally: PassTally,
): void {
  engine.settling.recordReplaced(diskPathOf(engine, path));
  tally.down += 1;
  tally.bytesDown += sizeBytes;
  engine.onEvent({ event: 'down', path, version, bytes: sizeBytes });
}

function fieldsOf({ version, hash, sizeBytes, contentType }: RemoteHead) {
  return { version, hash, sizeBytes, contentType };
}

export async function makeFolder(engine: Engine, { path, remote }: MakeFolder): Promise<Done> {
  const { version, hash, sizeBytes, contentType } = remote;
  const there = { version, hash, sizeBytes: sizeBytes ?? 1, contentType: contentType ?? '' };
  return makeFolderOf(engine, path, there);
}

async function makeFolderOf(
  engine: Engine,
  path: WorkspacePath,
  there: Parameters<typeof baseRow>[2],
): Promise<Done> {
  const folder = folderOf(path);
  const row = baseRow(engine, path, fieldsOf({ kind: 'file', ...there }), null, true);
  if (folder === null) {
    await engine.memory.commit(inSyncChanges(path, row), 'grouped');
    return 'done';
  }
  const made = await engine.folder.makeFolder(diskPathOf(engine, folder));
  if (made.kind === 'changed') return 'again';
  if (made.kind !== 'folder') return skipRejected(engine, path, made);
  const own: StateChange = { table: 'folder', path: folder, row: { object: made.object } };
  await engine.memory.commit(
    [...inSyncChanges(path, row), ...folderChanges(made.madeFolders), own],
    'grouped',
  );
  return 'done';
}
