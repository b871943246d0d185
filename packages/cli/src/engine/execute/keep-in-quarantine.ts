import { type BaseFile, conflictedCopyPaths, type WorkspacePath } from '@stoa/core';
import { renamedCopy } from '../conflict-rows.ts';
import { diskPathOf, type Engine, ownLabel } from '../engine.ts';
import type { TrashedFile } from '../ports/local-folder.ts';
import type { StateChange } from '../ports/state-store.ts';
import { unread } from '../stamps.ts';
import { baseChanges, inSyncChanges } from './base-changes.ts';
import type { PassTally } from './pass-tally.ts';
import { conflictEntry } from './send.ts';

/** Limit of names to try for a copy within one second. */
const namesMax = 100;

/** Bytes written into a file at the last moment. They are in the trash with the file. */
interface Written {
  readonly trashed: TrashedFile;
  /** Id of its row. The row must go with the file, or it would describe the next file of that name in the trash. */
  readonly trashId: string;
}

/**
 * Moves bytes that are stored nowhere else from the trash to the name of a conflicted copy. They are sent from there.
 */
export async function keepInQuarantine(
  engine: Engine,
  path: WorkspacePath,
  { trashed, trashId }: Written,
  tally: PassTally,
): Promise<void> {
  let tried = 0;
  for (const copy of conflictedCopyPaths(path, engine.pace.wallNow(), ownLabel(engine))) {
    tried += 1;
    if (tried > namesMax) return;
    const { base, remote } = engine.memory.state;
    if (base.has(copy) || remote.has(copy)) continue;
    const placed = await engine.folder.putBack(trashed.file, diskPathOf(engine, copy));
    if (placed.kind === 'taken') continue;
    engine.view.touchWay(diskPathOf(engine, copy));
    // If the disk fails, the bytes stay in the trash, and its row has their location.
    if (placed.kind !== 'placed') return;
    const entry = conflictEntry(engine, path, copy, null);
    await engine.memory.commit([renamedCopy(copy, path), outOfTrash(trashId), entry], 'grouped');
    tally.conflicts.push({ path, copy });
    engine.onEvent({ event: 'conflict', path, copy });
    return;
  }
}

const outOfTrash = (id: string): StateChange => ({ table: 'trash', id, row: null });

/**
 * A file damaged by a power failure was replaced by the content that both sides had, but another process wrote to it at
 * the last moment. Only that process has edited the file. Its text goes back to the path and is sent as an edit.
 * @param row the current row of the path
 */
export async function takeBack(
  engine: Engine,
  path: WorkspacePath,
  row: BaseFile,
  written: Written,
  tally: PassTally,
): Promise<void> {
  const { folder, memory } = engine;
  const { stamp, version, hash, sizeBytes, contentType } = row;
  const diskPath = diskPathOf(engine, path);
  const origin = { movedFrom: null, conflictOf: null, seq: 0 };
  const there = { kind: 'file', version, hash, sizeBytes, contentType, ...origin } as const;
  // Committed first. Otherwise the missing file would count as deleted here.
  await memory.commit(baseChanges(engine, path, null, there), 'grouped');
  const moved = stamp === null ? null : await folder.moveToTrash(diskPath, { stamp, hash });
  const isRoom = moved?.kind === 'moved_away' && moved.isAsPlanned;
  const placed = isRoom ? await folder.putBack(written.trashed.file, diskPath) : null;
  if (isRoom && placed?.kind === 'placed') await folder.dropTrashed(moved.trashed.file);
  engine.view.touchWay(diskPath);
  if (placed?.kind !== 'placed') {
    const existing = await folder.readEntry(diskPath, { ns: 0n });
    // The file was saved again, as an edit of the content at the path. The earlier text is in the trash.
    if (existing.kind === 'file') return memory.commit(inSyncChanges(path, row), 'grouped');
    return keepInQuarantine(engine, path, written, tally);
  }
  const here = { object: placed.object, mode: placed.mode, stamp: unread(placed.stamp) };
  const changes = [...inSyncChanges(path, { ...row, ...here }), outOfTrash(written.trashId)];
  await memory.commit(changes, 'grouped');
}

/** Time for another process to write to a replaced file that it holds open. */
const lateMs = 5000;

/** Checks files that were replaced a while ago for late writes. */
export async function checkReplaced(engine: Engine, tally: PassTally, isLast: boolean): Promise<void> {
  const waiting = engine.replacedFiles.splice(0);
  for (const each of waiting) {
    if (!isLast && engine.pace.now() - each.at < lateMs) {
      engine.replacedFiles.push(each);
      continue;
    }
    const found = await engine.folder.checkTrashed(each.trashed);
    if (found === 'changed') await keepInQuarantine(engine, each.path, each, tally);
  }
}
