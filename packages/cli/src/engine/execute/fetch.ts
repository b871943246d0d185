// docs/decisions/0054-a-conflict-is-a-stale-upload.md
import {
  type Conflict,
  type ContentHash,
  type Download,
  folderOf,
  isPlaceholder,
  localNameProblem,
  type MakeFolder,
  smallBodyBytes,
  type Wanted,
  type WorkspacePath,
} from '@stoa/core';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import { DiskRefusedError, type PresumedFile, type Replaced, type Staged } from '../ports/local-folder.ts';
import type { PutOutcome, RemoteHead } from '../ports/remote-workspace.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { withPatience } from '../with-patience.ts';
import { baseChanges, folderChanges, inSyncChanges } from './base-changes.ts';
import { keepAside } from './keep-aside.ts';
import { type Done, leaveOut, leaveOutRefused, type PassTally } from './pass-tally.ts';
import { conflictEntry, logEntry, notStored, openPlanned, putIntent } from './send.ts';

interface Fetched {
  readonly kind: 'fetched';
  readonly staged: Staged;
  readonly got: RemoteHead;
}

/** Into staging, whatever the server has there now: the wanted content or a newer one. */
async function fetchStaged(engine: Engine, path: WorkspacePath, wanted: Wanted): Promise<Fetched | Done> {
  const copied = await copyStaged(engine, path, wanted);
  if (copied !== null) return copied;
  const id = engine.pace.newId();
  const file = await engine.folder.stage(id, wanted.sizeBytes ?? 0);
  if (file.kind !== 'writing') return leaveOutRefused(engine, path, file);
  await engine.onStep('download: get');
  try {
    const got = await withPatience(engine, () => engine.remote.download(path, file, engine.signal));
    switch (got.kind) {
      case 'file':
        return { kind: 'fetched', got, staged: await file.finish() };
      case 'not_found':
        await file.discard();
        // Nothing follows from it but that it is not to be had now: only a record takes something away.
        return leaveOut(engine, path, 'not_on_server', null);
      case 'bytes_missing':
        await file.discard();
        return leaveOut(engine, path, 'bytes_missing', null);
      case 'transfer_failed':
        await file.discard();
        return leaveOut(engine, path, 'transfer_failed', got.detail);
    }
  } catch (error) {
    await file.discard();
    if (error instanceof DiskRefusedError) return leaveOutRefused(engine, path, error.refusal);
    throw error;
  }
}

/** From another file here that has this very content. Null where there is none: then it is fetched. */
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

/** What the server has there, beside the bytes. Asked for only where that is cheaper than the bytes are. */
async function headOf(
  engine: Engine,
  path: WorkspacePath,
  { version, hash, contentType }: Wanted & { readonly hash: ContentHash },
  sizeBytes: number,
): Promise<RemoteHead | null> {
  if (contentType !== null) return { kind: 'file', version, hash, sizeBytes, contentType };
  if (sizeBytes < smallBodyBytes) return null;
  const head = await withPatience(engine, () => engine.remote.head(path, engine.signal));
  return head.kind === 'file' && head.hash === hash ? head : null;
}

export async function download(engine: Engine, operation: Download, tally: PassTally): Promise<Done> {
  const { path, wanted, over } = operation;
  const diskPath = diskPathOf(engine, path);
  const fetched = await fetchStaged(engine, path, wanted);
  if (typeof fetched === 'string') return fetched;
  const { got, staged } = fetched;
  if (over.kind === 'absent' && isPlaceholder(path, got.hash)) {
    await engine.folder.discardStaged(staged.id);
    return makeFolderOf(engine, path, got);
  }
  if (over.kind === 'file')
    return replaceBy(engine, path, { staged, got, presumed: over, alsoAt: null }, tally);
  await engine.onStep('download: create');
  const placed = await engine.folder.create(diskPath, staged.id);
  if (placed.kind !== 'placed') {
    await engine.folder.discardStaged(staged.id);
    return placed.kind === 'changed' || placed.kind === 'taken'
      ? 'again'
      : leaveOutRefused(engine, path, placed);
  }
  const row = baseRow(engine, path, fieldsOf(got), placed, false);
  const log = logEntry(engine, 'down', path, got.version, got.sizeBytes);
  await engine.memory.commit(
    [...inSyncChanges(path, row), ...folderChanges(placed.madeFolders), log],
    'grouped',
  );
  engine.unflushed.add(path);
  noteDown(engine, path, got, tally);
  return 'done';
}

interface Replacement {
  readonly staged: Staged;
  readonly got: RemoteHead;
  readonly presumed: PresumedFile;
  /** The second name that keeps what is replaced. */
  readonly alsoAt: string | null;
}

async function replaceBy(
  engine: Engine,
  path: WorkspacePath,
  { staged, got, presumed, alsoAt }: Replacement,
  tally: PassTally,
): Promise<Done> {
  await engine.onStep('download: replace');
  const replaced = await engine.folder.replace(diskPathOf(engine, path), staged.id, presumed, alsoAt);
  if (replaced.kind !== 'replaced') {
    await engine.folder.discardStaged(staged.id);
    return replaced.kind === 'changed' ? 'again' : leaveOutRefused(engine, path, replaced);
  }
  const row = baseRow(engine, path, fieldsOf(got), replaced, true);
  const log = logEntry(engine, 'down', path, got.version, got.sizeBytes);
  const trash = trashChange(engine, path, presumed, replaced);
  await engine.memory.commit([...inSyncChanges(path, row), ...trash, log], 'grouped');
  await lookAtDisplaced(engine, path, replaced.displaced, tally);
  noteDown(engine, path, got, tally);
  return 'done';
}

/** What somebody wrote into the file in the last moment is nobody's yet: it becomes a file beside it. */
export async function lookAtDisplaced(
  engine: Engine,
  path: WorkspacePath,
  displaced: Replaced['displaced'],
  tally: PassTally,
): Promise<void> {
  if (displaced === null) return;
  if (displaced.isAsPlanned) {
    engine.displaced.push({ path, trashed: displaced.trashed, at: engine.pace.now() });
  } else await keepAside(engine, path, displaced.trashed, tally);
}

function trashChange(
  { pace }: Engine,
  path: WorkspacePath,
  { hash }: PresumedFile,
  { displaced }: Replaced,
): StateChange[] {
  if (displaced === null) return [];
  const { file, sizeBytes } = displaced.trashed;
  const row = { id: pace.newId(), path, hash, sizeBytes, why: 'replaced', at: pace.wallNow(), file } as const;
  return [{ table: 'trash', id: row.id, row }];
}

function noteDown(
  engine: Engine,
  path: WorkspacePath,
  { version, sizeBytes }: RemoteHead,
  tally: PassTally,
): void {
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
  if (made.kind !== 'folder') return leaveOutRefused(engine, path, made);
  const own: StateChange = { table: 'folder', path: folder, row: { object: made.object } };
  await engine.memory.commit(
    [...inSyncChanges(path, row), ...folderChanges(made.madeFolders), own],
    'grouped',
  );
  return 'done';
}

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
  const intent = putIntent(engine, path, null, local);
  const done: StateChange = { table: 'intent', id: intent.id, row: null };
  const send = async (): Promise<PutOutcome> => {
    await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'durable');
    engine.fenced.add(path);
    await engine.onStep('conflict: put');
    const { content } = opened;
    return withPatience(engine, () =>
      engine.remote.put({ path, content, presumed: { kind: 'absent' }, contentType: null }, engine.signal),
    );
  };
  const outcome = kept === null ? await send() : ({ kind: 'conflict', copyPath: kept } as const);
  await engine.onStep('conflict: answered');
  if (outcome.kind !== 'conflict') {
    await engine.memory.commit([done], 'grouped');
    if (outcome.kind === 'stored') return 'again';
    if (outcome.kind === 'quota' || outcome.kind === 'file_count') {
      // Nothing was kept there, so that nothing changes here.
      return leaveOut(engine, path, 'conflict_unsaved', outcome.detail);
    }
    return notStored(engine, path, outcome);
  }
  const copy = outcome.copyPath;
  const known = base === null ? null : { version: base.version, hash: base.hash };
  const row: StateChange = {
    table: 'conflict',
    copyPath: copy,
    row: { copyPath: copy, ofPath: path, base: known },
  };
  const fetched = await fetchStaged(engine, path, operation.remote);
  await engine.memory.commit([done, row, conflictEntry(engine, path, copy, local.sizeBytes)], 'grouped');
  tally.conflicts.push({ path, copy });
  engine.onEvent({ event: 'conflict', path, copy });
  if (typeof fetched === 'string') return fetched;
  engine.fenced.add(copy);
  const second = await giveSecondName(engine, diskPath, copy, local, fetched);
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
  if (ended === 'again' && second.alsoAt !== null && !engine.waiting.has(path)) {
    await takeBackSecondName(engine, { path, diskPath, copy, alsoAt: second.alsoAt });
  }
  return ended;
}

/**
 * The file was written after it had got the copy's name: what was written would stand at both paths. The copy comes again
 * from the server, as it was sent.
 */
async function takeBackSecondName(
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
  if (row === undefined) return;
  const { version, hash, sizeBytes, contentType } = row;
  const origin = { movedFrom: null, conflictOf: path, seq: 0 };
  const there = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
  // First written down: a copy that is missing here is otherwise one that was deleted.
  await memory.commit(baseChanges(engine, copy, null, there), 'grouped');
  await folder.finishRename(alsoAt, diskPath);
}

/** Copies of one path that are asked for their content. */
const copiesAskedMax = 20;

/**
 * A conflicted copy of the path that already has these bytes: an upload that lost, or a conflict that was cut off, left
 * it there. The server itself only knows its newest copy of a path, and would make another.
 */
export async function findKeptCopy(
  engine: Engine,
  path: WorkspacePath,
  hash: ContentHash,
): Promise<WorkspacePath | null> {
  const { base, conflicts, remote } = engine.memory.state;
  let asked = 0;
  for (const { copyPath, ofPath } of conflicts.values()) {
    if (ofPath !== path) continue;
    const there = remote.get(copyPath);
    if (there !== undefined && there.kind !== 'file') continue;
    const known = there === undefined ? base.get(copyPath)?.hash : there.hash;
    if (known === hash) return copyPath;
    if (known !== null || asked === copiesAskedMax) continue;
    asked += 1;
    const head = await withPatience(engine, () => engine.remote.head(copyPath, engine.signal));
    if (head.kind === 'file' && head.hash === hash) return copyPath;
  }
  return null;
}

/** Links the file to its copy's name, so that nothing has to be fetched for it, where the name is possible and free. */
async function giveSecondName(
  engine: Engine,
  diskPath: string,
  copy: WorkspacePath,
  local: Conflict['local'],
  { got }: Fetched,
): Promise<
  | { readonly kind: 'again' }
  | { readonly kind: 'named'; readonly presumed: PresumedFile; readonly alsoAt: string | null }
> {
  const { folder, memory, traits } = engine;
  const only = { kind: 'named', presumed: local, alsoAt: null } as const;
  if (localNameProblem(copy, traits.names) !== null || got.hash === local.hash) return only;
  await engine.onStep('conflict: second name');
  const copyPath = diskPathOf(engine, copy);
  const placed = await folder.duplicate(diskPath, copyPath, local);
  if (placed.kind === 'changed') return { kind: 'again' };
  if (placed.kind !== 'placed') return only;
  const known = memory.state.remote.get(copy) ?? memory.state.base.get(copy);
  const version = known !== undefined && 'version' in known ? known.version : 1;
  const there = { version, hash: local.hash, sizeBytes: local.sizeBytes, contentType: got.contentType };
  await memory.commit(
    inSyncChanges(copy, baseRow(engine, copy, there, { ...placed, stamp: unread(placed.stamp) }, true)),
    'grouped',
  );
  if (!traits.hasHardLinks) return only;
  return { kind: 'named', presumed: { stamp: placed.stamp, hash: local.hash }, alsoAt: copyPath };
}
