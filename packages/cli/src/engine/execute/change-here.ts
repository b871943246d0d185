// docs/sync.md
import {
  type Adopt,
  type AdoptFolder,
  diskKey,
  type Forget,
  foldersAbove,
  type Quarantine,
  type Rebase,
  type RemoveFolderHere,
  type RemoveHere,
  type RenameHere,
  type Rescue,
  type UnlinkHere,
  type WorkspacePath,
} from '@stoa/core';
import { renamedCopy } from '../conflict-rows.ts';
import { baseRow, diskPathOf, type Engine } from '../engine.ts';
import type { PresumedFile } from '../ports/local-folder.ts';
import type { Intent, TrashWhy } from '../ports/state-rows.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { baseChanges, folderChanges, inSyncChanges, keepDoubt } from './base-changes.ts';
import { dropFromTrash, followInTrash } from './earlier-contents.ts';
import { inspectReplaced } from './fetch.ts';
import { type Done, type PassTally, skipRejected } from './pass-tally.ts';
import { conflictEntry, intentOf, logEntry } from './send.ts';

export async function adopt(engine: Engine, { path, remote, local }: Adopt): Promise<Done> {
  const known = engine.memory.state.base.get(path);
  const { version, hash } = remote;
  const sizeBytes = remote.sizeBytes ?? known?.sizeBytes ?? 1;
  const contentType = remote.contentType ?? known?.contentType ?? '';
  const row = baseRow(engine, path, { version, hash, sizeBytes, contentType }, local, true);
  const named = local === null ? row : { ...row, localName: local.localName };
  await engine.memory.commit(inSyncChanges(path, named), 'grouped');
  return 'done';
}

export async function forget(engine: Engine, { path }: Forget): Promise<Done> {
  const isPrivate = engine.memory.state.remote.get(path)?.kind === 'hidden';
  const earlier = isPrivate ? await dropFromTrash(engine, path) : [];
  await engine.memory.commit([...inSyncChanges(path, null), ...earlier], 'grouped');
  return 'done';
}

export async function rebase(engine: Engine, { from, path }: Rebase): Promise<Done> {
  const row = engine.memory.state.base.get(from);
  if (row === undefined) return 'again';
  keepDoubt(engine, from, path);
  const earlier = await followInTrash(engine, from, path);
  const transferred = [...inSyncChanges(from, null), ...baseChanges(engine, path, row), ...earlier];
  await engine.memory.commit(transferred, 'grouped');
  return 'done';
}

export async function renameHere(engine: Engine, operation: RenameHere, tally: PassTally): Promise<Done> {
  const { from, path, baseFrom, local } = operation;
  const row = engine.memory.state.base.get(baseFrom);
  if (row === undefined) return 'again';
  const to = diskPathOf(engine, path);
  const ended = local.hash === row.hash ? [] : await intendRename(engine, from, path, local);
  await engine.onStep('rename: here');
  await respellFolders(engine, from, path);
  const placed = await engine.folder.rename(diskPathOf(engine, from), to, local);
  if (placed.kind !== 'placed') await engine.memory.commit(ended, 'grouped');
  if (placed.kind === 'changed' || placed.kind === 'taken') return 'again';
  if (placed.kind !== 'placed') return skipRejected(engine, path, placed);
  await engine.onStep('rename: done');
  const here =
    local.hash === row.hash ? { stamp: unread(placed.stamp), object: placed.object, mode: placed.mode } : {};
  keepDoubt(engine, baseFrom, path);
  const moved = { ...row, localName: to === path ? null : to, ...here };
  const changes = [
    ...ended,
    ...inSyncChanges(baseFrom, null),
    ...baseChanges(engine, path, moved),
    ...folderChanges(placed.madeFolders),
    ...(await followInTrash(engine, baseFrom, path)),
    logEntry(engine, 'moved', path, row.version, null),
  ];
  await engine.memory.commit(changes, 'grouped');
  tally.moved += 1;
  engine.onEvent({ event: 'moved', path, from });
  return 'done';
}

/**
 * On a disk that treats both names of a folder as one, the folder would keep its old name. The next scan would take
 * that for a rename by the local user and undo the new name. So the folders are renamed first.
 */
async function respellFolders(engine: Engine, from: WorkspacePath, to: WorkspacePath): Promise<void> {
  const { names } = engine.traits;
  if (!names.foldsCase) return;
  const before = foldersAbove(from);
  for (const [depth, folder] of foldersAbove(to).entries()) {
    const old = before[depth];
    if (old === undefined || diskKey(old, names) !== diskKey(folder, names)) return;
    // A folder that cannot be renamed keeps its name, which is then sent to the server.
    if (old !== folder) await engine.folder.renameFolder(diskPathOf(engine, old), folder);
  }
}

export async function quarantine(engine: Engine, operation: Quarantine, tally: PassTally): Promise<Done> {
  const { from, path, local } = operation;
  const [source, target] = [diskPathOf(engine, from), diskPathOf(engine, path)];
  const ended = local.kind === 'file' ? await intendRename(engine, from, path, local) : [];
  // Committed before the rename. If the process ends in between, the copy is still counted.
  if (local.kind === 'file') await engine.memory.commit([renamedCopy(path, from)], 'grouped');
  await engine.onStep('set aside: here');
  const placed =
    local.kind === 'file'
      ? await engine.folder.rename(source, target, local)
      : await engine.folder.renameFolder(source, target);
  const isNamed = placed.kind === 'placed' || placed.kind === 'folder';
  const unnamed: StateChange = { table: 'conflict', copyPath: path, row: null };
  await engine.memory.commit(isNamed ? ended : [...ended, unnamed], 'grouped');
  if (placed.kind === 'changed' || placed.kind === 'taken') return 'again';
  if (!isNamed) return skipRejected(engine, from, placed);
  await engine.memory.commit([conflictEntry(engine, from, path, null)], 'grouped');
  tally.conflicts.push({ path: from, copy: path });
  engine.onEvent({ event: 'conflict', path: from, copy: path });
  return 'done';
}

/**
 * Records a rename. If it is interrupted, the file has two names, and both would be sent if the server does not have
 * its content yet.
 * @returns the change to commit once the rename has ended
 */
export async function intendRename(
  engine: Engine,
  path: WorkspacePath,
  toPath: WorkspacePath,
  { hash, stamp }: PresumedFile,
): Promise<StateChange[]> {
  const intent: Intent = { ...intentOf(engine), kind: 'rename', path, toPath, version: null, hash, stamp };
  await engine.memory.commit([{ table: 'intent', id: intent.id, row: intent }], 'grouped');
  return [{ table: 'intent', id: intent.id, row: null }];
}

export async function removeHere(
  engine: Engine,
  { path, local }: Pick<RemoveHere, 'path' | 'local'>,
  tally: PassTally,
  why: TrashWhy = 'deleted_there',
): Promise<Done> {
  const { folder, memory, pace } = engine;
  await engine.onStep('remove: here');
  const replaced = await folder.moveToTrash(diskPathOf(engine, path), local);
  if (replaced.kind === 'changed') return 'again';
  if (replaced.kind !== 'moved_away') return skipRejected(engine, path, replaced);
  await engine.onStep('remove: done');
  const { file, sizeBytes } = replaced.trashed;
  const id = pace.newId();
  const row = {
    id,
    path,
    hash: local.hash,
    sizeBytes,
    why,
    at: pace.wallNow(),
    file,
  } as const;
  const conflict: StateChange = { table: 'conflict', copyPath: path, row: null };
  const log = logEntry(engine, 'deleted_here', path, null, sizeBytes);
  await memory.commit([...inSyncChanges(path, null), { table: 'trash', id, row }, conflict, log], 'grouped');
  await inspectReplaced(engine, path, { replaced, trashId: id }, tally);
  tally.deletedHere += 1;
  const reported = { event: 'deleted_here', path, version: null, bytes: sizeBytes } as const;
  engine.onEvent({ ...reported, why: 'deleted_there' });
  return 'done';
}

/** Deletes a file that is private now, with its earlier contents in the trash. */
export async function unlinkHere(
  engine: Engine,
  { path, local }: UnlinkHere,
  tally: PassTally,
): Promise<Done> {
  await engine.onStep('unlink: here');
  const gone = await engine.folder.unlink(diskPathOf(engine, path), local);
  if (gone.kind === 'changed') return 'again';
  if (gone.kind !== 'done') return skipRejected(engine, path, gone);
  const changes = await dropFromTrash(engine, path);
  const log = logEntry(engine, 'deleted_here', path, null, null);
  // If the server has another file at the path of a renamed file, that file must still be downloaded.
  await engine.memory.commit([...baseChanges(engine, path, null), ...changes, log], 'grouped');
  tally.deletedHere += 1;
  const reported = { event: 'deleted_here', path, version: null, bytes: null } as const;
  engine.onEvent({ ...reported, why: 'made_private' });
  return 'done';
}

export async function rescue(engine: Engine, { path, local }: Rescue, tally: PassTally): Promise<Done> {
  await engine.onStep('rescue: here');
  const rescued = await engine.folder.rescue(diskPathOf(engine, path), local);
  if (rescued.kind === 'changed') return 'again';
  if (rescued.kind !== 'rescued') return skipRejected(engine, path, rescued);
  const changes = await dropFromTrash(engine, path);
  const log = logEntry(engine, 'rescued', path, null, null);
  await engine.memory.commit([...baseChanges(engine, path, null), ...changes, log], 'grouped');
  tally.rescued += 1;
  engine.onEvent({ event: 'rescued', path, version: null, bytes: null });
  return 'done';
}

/** A folder that is not empty stays and is no longer tracked. */
export async function removeFolderHere(engine: Engine, { path }: RemoveFolderHere): Promise<Done> {
  await engine.folder.removeFolder(diskPathOf(engine, path));
  await engine.memory.commit([{ table: 'folder', path, row: null }], 'grouped');
  return 'done';
}

export async function adoptFolder(engine: Engine, { path, object }: AdoptFolder): Promise<Done> {
  await engine.memory.commit([{ table: 'folder', path, row: { object } }], 'grouped');
  return 'done';
}
